//! Types and ops by their code, with `%(name)s` as in Python.

use fishplate_python_linker::{
    Error, FragmentOp, FragmentType, Needs, Node, Number, Output, Program, Site, Sub, Value,
    Variable, Version,
};
use std::sync::Arc;

/// A type given by strings.
#[derive(Clone, Default)]
pub struct TextType {
    pub name: &'static str,
    pub declare: &'static str,
    pub init: &'static str,
    pub extract: &'static str,
    pub sync: &'static str,
    pub cleanup: &'static str,
    pub needs: Needs,
    pub compiler: Option<&'static str>,
    pub version: Option<u32>,
    /// The value of a constant is inserted.
    pub has_literals: bool,
}

fn fill(text: &str, name: &str, sub: &Sub) -> String {
    let mut out = text.replace("%(name)s", name);
    for (key, piece) in sub.iter() {
        out = out.replace(&format!("%({key})s"), piece);
    }
    out
}

impl FragmentType for TextType {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn declare(&self, name: &str, sub: &Sub, check: bool) -> Result<Option<String>, Error> {
        if self.declare.is_empty() {
            return Ok(None);
        }
        let check = if check { "1" } else { "0" };
        Ok(Some(fill(self.declare, name, sub).replace("%(check)s", check)))
    }

    fn init(&self, name: &str, sub: &Sub) -> Result<Option<String>, Error> {
        Ok(Some(fill(self.init, name, sub)))
    }

    fn extract(&self, name: &str, sub: &Sub, check: bool) -> Result<Option<String>, Error> {
        let check = if check { "1" } else { "0" };
        Ok(Some(fill(self.extract, name, sub).replace("%(check)s", check)))
    }

    fn sync(&self, name: &str, sub: &Sub) -> Result<Option<String>, Error> {
        Ok(Some(fill(self.sync, name, sub)))
    }

    fn cleanup(&self, name: &str, sub: &Sub) -> Result<Option<String>, Error> {
        Ok(Some(fill(self.cleanup, name, sub)))
    }

    fn literal(&self, value: &Value) -> Result<Option<String>, Error> {
        match value.downcast_ref::<Number>() {
            Some(Number::Real(value)) if self.has_literals => Ok(Some(format!("{value:?}"))),
            _ => Ok(None),
        }
    }

    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(self.compiler.map(str::to_owned))
    }

    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(self.needs.clone())
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(version(self.version))
    }
}

fn version(number: Option<u32>) -> Version {
    number.map_or(Version::ThisProcess, |number| Version::Parts(vec![number.to_string()]))
}

/// An op given by strings: `%(x)s`, `%(y)s`, `%(w)s` are inputs, `%(z)s`, `%(z2)s` outputs.
#[derive(Clone, Default)]
pub struct TextOp {
    pub name: &'static str,
    pub code: &'static str,
    pub cleanup: &'static str,
    pub members: &'static str,
    pub init_members: &'static str,
    pub cleanup_members: &'static str,
    pub support_apply: &'static str,
    pub needs: Needs,
    pub compiler: Option<&'static str>,
    pub version: Option<u32>,
    pub no_check_input: bool,
    pub fails: bool,
}

impl TextOp {
    fn fill(&self, text: &str, site: Site<'_>) -> String {
        let mut out = fill(text, site.name, site.sub);
        for (key, name) in ["x", "y", "w"].iter().zip(site.inputs) {
            out = out.replace(&format!("%({key})s"), name);
        }
        for (key, name) in ["z", "z2"].iter().zip(site.outputs) {
            out = out.replace(&format!("%({key})s"), name);
        }
        out
    }
}

impl FragmentOp for TextOp {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn code(&self, site: Site<'_>) -> Result<Option<String>, Error> {
        if self.fails {
            return Err("no mood for code".into());
        }
        Ok((!self.code.is_empty()).then(|| self.fill(self.code, site)))
    }

    fn code_cleanup(&self, site: Site<'_>) -> Result<Option<String>, Error> {
        Ok(Some(self.fill(self.cleanup, site)))
    }

    fn support_code_struct(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(self.members.replace("%(name)s", name)))
    }

    fn init_code_struct(&self, name: &str, sub: &Sub) -> Result<Option<String>, Error> {
        Ok(Some(fill(self.init_members, name, sub)))
    }

    fn cleanup_code_struct(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(self.cleanup_members.replace("%(name)s", name)))
    }

    fn support_code_apply(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(self.support_apply.replace("%(name)s", name)))
    }

    fn check_input(&self) -> bool {
        !self.no_check_input
    }

    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(self.compiler.map(str::to_owned))
    }

    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(self.needs.clone())
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(version(self.version))
    }
}

/// A program under construction: variables have names, and are created at first use.
#[derive(Default)]
pub struct Draft {
    pub program: Program,
}

/// A program of this name.
pub fn program(name: &str) -> Draft {
    Draft { program: Program { name: name.to_owned(), ..Program::default() } }
}

impl Draft {
    pub fn variable(&mut self, name: &str, ty: &Arc<dyn FragmentType>) -> usize {
        self.program.variables.push(Variable {
            ty: ty.clone(),
            name: Some(name.to_owned()),
            constant: None,
        });
        self.program.variables.len() - 1
    }

    pub fn input(&mut self, name: &str, ty: &Arc<dyn FragmentType>) -> usize {
        let index = self.variable(name, ty);
        self.program.inputs.push(index);
        index
    }

    pub fn constant(&mut self, name: &str, ty: &Arc<dyn FragmentType>, value: Number) -> usize {
        let index = self.variable(name, ty);
        self.program.variables[index].constant = Some(Arc::new(value));
        index
    }

    /// A node with one output.
    pub fn apply(
        &mut self,
        op: &Arc<dyn FragmentOp>,
        inputs: &[usize],
        out: &str,
        ty: &Arc<dyn FragmentType>,
    ) -> usize {
        let output = self.variable(out, ty);
        self.program.nodes.push(Node {
            op: op.clone(),
            inputs: inputs.to_vec(),
            outputs: vec![output],
            params: None,
        });
        output
    }

    pub fn output(&mut self, variable: usize) {
        self.program.outputs.push(Output { variable, recycled: false });
    }

    pub fn recycled(&mut self, variable: usize) {
        self.program.outputs.push(Output { variable, recycled: true });
    }
}

/// A number, as the value of a constant.
pub fn number(value: f64) -> Number {
    Number::Real(value)
}
