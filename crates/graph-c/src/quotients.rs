//! Loops that divide every element by the same value: products, which round like divisions.
//!
//! Purpose: a division takes as long as ten products. With fused multiply-adds, two products by the reciprocal correct
//! the first one to the bits of the quotient (`quotients.h` says when).
//! Invariant: elements have the bits of a division, on every processor.
//! Reason: a softmax and the normalisation of rows divide each row by one value, as NumPy does.

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Function, Instruction};

use crate::ctype::c_type;
use crate::function::is_called;
use crate::helpers::{Helpers, helper_name};

/// The C that loops with such divisions call.
const QUOTIENTS: &str = include_str!("quotients.h");

/// The helpers for a divisor and for a quotient.
const IS_DIVISOR: &str = "is_divisor";
const QUOTIENT: &str = "quotient";

/// An argument of an instruction of a loop.
pub enum Source {
    /// A value that is the same for all elements.
    Same,
    /// A value of the element.
    Element,
    /// The result of the instruction with this number.
    Instruction(usize),
}

/// The instructions of a loop over elements.
pub struct Loop {
    /// The statements of the instructions whose arguments are the same for all elements.
    before: Vec<String>,
    /// The statement of each other instruction for one element; empty for those before the loop.
    statements: Vec<String>,
    divisions: Vec<Division>,
}

/// A division of each element by one value; both are names.
struct Division {
    instruction: usize,
    dividend: String,
    divisor: String,
    dtype: DType,
}

impl Loop {
    /// The loop of instructions whose statements are `statements`; each argument has a name and a source.
    pub fn of<A: Copy>(
        instructions: &[Instruction<A>],
        mut statements: Vec<String>,
        name: impl Fn(A) -> String,
        source: impl Fn(A) -> Source,
        helpers: &mut Helpers,
    ) -> Self {
        let mut same: Vec<bool> = Vec::new();
        let mut divisions = Vec::new();
        for (instruction, one) in instructions.iter().enumerate() {
            let is_same = |&arg: &A| match source(arg) {
                Source::Same => true,
                Source::Element => false,
                Source::Instruction(number) => same[number],
            };
            let of: Vec<bool> = one.arguments.iter().map(is_same).collect();
            if one.function == Function::TrueDivide
                && of == [false, true]
                && let [dividend, divisor] = one.arguments[..]
                && one.dtype.is_float()
            {
                let (dividend, divisor) = (name(dividend), name(divisor));
                divisions.push(Division { instruction, dividend, divisor, dtype: one.dtype });
            }
            same.push(!of.contains(&false));
        }
        // A function of the math library takes longer than the division, and may set the processor's flags.
        let calls = |(one, &same): (&Instruction<A>, &bool)| !same && is_called(one.function);
        if instructions.iter().zip(&same).any(calls) {
            divisions.clear();
        }
        for one in &divisions {
            helpers.add("quotients.h", QUOTIENTS);
            for name in [IS_DIVISOR, QUOTIENT] {
                helpers.request(name, one.dtype);
            }
        }
        let all = statements.iter_mut().zip(&same).filter(|(_, same)| **same);
        let before = all.map(|(statement, _)| std::mem::take(statement)).collect();
        Self { before, statements, divisions }
    }

    /// Prints the loop, in a function that returns nothing and whose first `outputs` of `count` pointers `p` it
    /// writes to. `element` prints the statements of element `i`.
    pub fn print(
        &self,
        text: &mut Text,
        (outputs, count): (usize, usize),
        element: &dyn Fn(&mut Text, &[String]),
    ) {
        self.before.iter().for_each(|line| text.line(line));
        text.line("fp_size i;");
        if !self.divisions.is_empty() {
            self.print_products(text, (outputs, count), element);
        }
        print_loop(text, &self.statements, element);
    }

    fn print_products(
        &self,
        text: &mut Text,
        (outputs, count): (usize, usize),
        element: &dyn Fn(&mut Text, &[String]),
    ) {
        let mut divisors: Vec<&Division> = Vec::new();
        for one in &self.divisions {
            if divisors.iter().all(|other| other.divisor != one.divisor) {
                divisors.push(one);
            }
        }
        text.line("unsigned flags;");
        let mut conditions: Vec<String> = divisors
            .iter()
            .map(|one| format!("{}({})", helper_name(IS_DIVISOR, one.dtype), one.divisor))
            .collect();
        conditions.push(format!("fp_begin_quotients(&flags, p, {outputs}, {count}, n)"));
        text.open(&format!("if ({})", conditions.join(" && ")));
        for one in divisors {
            text.line(format!("const {} r_{1} = 1 / {1};", c_type(one.dtype), one.divisor));
        }
        let mut statements = self.statements.clone();
        for one in &self.divisions {
            let Division { instruction, dividend, divisor, dtype } = one;
            statements[*instruction] = format!(
                "const {} v{instruction} = {}({dividend}, {divisor}, r_{divisor});",
                c_type(*dtype),
                helper_name(QUOTIENT, *dtype),
            );
        }
        print_loop(text, &statements, element);
        text.block("if (fp_end_quotients(flags))", |text| text.line("return;"));
        text.close();
    }
}

fn print_loop(text: &mut Text, statements: &[String], element: &dyn Fn(&mut Text, &[String])) {
    text.line("FP_INDEPENDENT");
    text.block("for (i = 0; i < n; i++)", |text| element(text, statements));
}
