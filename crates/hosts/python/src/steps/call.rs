//! The call of C: its arguments, the GIL around it, and the check of its return code.

use super::Printer;
use crate::kinds::kind;
use fishplate_emit::{Body, c_string, dimension, failed_status, typed_result};
use fishplate_model::{CType, Expr, VariableId};
use fishplate_plan::{FailureTest, Release, Returns, Step};

impl Printer<'_, '_> {
    pub(super) fn call(&mut self, release: &Release) {
        self.explain();
        let names = self.names;
        let call = names.call;
        self.keep_retained();
        match release {
            Release::Never => {}
            _ if call.calls_back => {}
            Release::Always => self.body.line("fp_thread = PyEval_SaveThread();"),
            Release::WhenLarge(_) | Release::ForWork(_) => self.body.line(format!(
                "fp_thread = {} ? PyEval_SaveThread() : NULL;",
                self.releases(release)
            )),
        }
        let arguments: Vec<String> = call.variables.keys().map(|i| self.c_argument(i)).collect();
        let result = match &call.result {
            Returns::Void => "",
            Returns::Value(..) if !call.keeps_result() => "(void)",
            Returns::Value(..) | Returns::Status(..) | Returns::Pointer(_) => "fp_c_result = ",
        };
        let called = format!("{}({})", names.target, arguments.join(", "));
        self.invoke(&format!("{result}{};", typed_result(call, &called)), release, true);
        if !call.calls_back {
            retake_gil(release, &mut self.body);
        }
    }

    /// Calls C for a query, with the lock held; a return code is checked as that of the call.
    pub(super) fn query(&mut self, query: &Expr, test: Option<FailureTest>) {
        let asked = self.names.query(query, &|index| self.c_argument(index));
        let call = self.names.call;
        let returns_status = matches!(call.result, Returns::Status(..));
        let target = if returns_status { "fp_c_result = " } else { "(void)" };
        self.invoke(&format!("{target}{asked};"), &Release::Never, test.is_some());
        if let Some(test) = test {
            self.step(&Step::CheckStatus { test });
        }
    }

    /// Prints a statement that calls C, and, if it is `checked`, the check of its result.
    fn invoke(&mut self, statement: &str, release: &Release, checked: bool) {
        let names = self.names;
        let call = names.call;
        names.clear_errors().iter().for_each(|line| self.body.line(line));
        if call.calls_back {
            self.begin_calls(release);
        }
        if call.throws {
            self.guarded(statement, release);
        } else {
            self.body.line(statement);
        }
        if checked && call.status.is_some() {
            // On this thread, before any other code runs on it.
            self.body.line(format!(
                "fp_outcome = FP_LIKELY({}) ? 0 : FP_FAILS + {};",
                names.succeeded(names.return_code()),
                names.failing(names.return_code(), "&fp_why", |index| self.message_argument(index))
            ));
        }
        if call.calls_back {
            let mut body = std::mem::take(&mut self.body);
            let ended = self.end_calls(&mut body);
            self.body = body;
            self.must(&ended);
        }
    }

    /// Prints a call that may throw. It costs nothing unless it does.
    pub(super) fn guarded(&mut self, statement: &str, release: &Release) {
        let failure = self.failure();
        let catch = &self.names.catch;
        let mut body = std::mem::take(&mut self.body);
        body.block("try", |body| body.line(statement));
        body.line("FP_LET_THREADS_END");
        body.block("catch (...)", |body| {
            body.line(format!("{catch}(&fp_why);"));
            if self.names.call.calls_back {
                // An exception raised in a callback takes precedence.
                let ended = self.end_calls(body);
                body.line(format!("(void){ended};"));
            } else {
                retake_gil(release, body);
            }
            body.line("fp_raise_failure(&fp_why);");
            body.line(failure);
        });
        self.body = body;
    }

    pub(super) fn check_status(&mut self, test: FailureTest) {
        let names = self.names;
        let failure = self.failure();
        let FailureTest::Code(code) = test else {
            let failed = "FP_UNLIKELY(fp_outcome != 0) && !fp_report_status(fp_outcome, &fp_why)";
            self.body.when(failed, &failure);
            return;
        };
        let is_unsigned = names.call.return_code_type().is_some_and(CType::is_unsigned);
        let code = names.code(code);
        let raise = format!(
            "fp_bad_status({}, {}, {}, (long long){code})",
            c_string(names.function),
            c_string(&names.call.c_name),
            u8::from(is_unsigned),
        );
        self.body.when(format!("{} && !{raise}", failed_status(names.call, code)), &failure);
    }

    /// C that is true if the call releases the GIL.
    pub(super) fn releases(&self, release: &Release) -> String {
        let arrays = match release {
            Release::Never => return "0".to_owned(),
            Release::Always => return "1".to_owned(),
            Release::WhenLarge(arrays) => arrays,
            Release::ForWork(work) => {
                let work = dimension(work, self.names);
                return match self.map {
                    Some(_) => format!("FP_IS_WORK(fp_mul({}.count, {work}))", self.map_name()),
                    None => format!("FP_IS_WORK({work})"),
                };
            }
        };
        let sizes: Vec<String> = arrays.iter().map(|index| self.names.size_of(*index)).collect();
        let sizes = (!sizes.is_empty()).then(|| format!("{} >= FP_WORK", sizes.join(" + ")));
        let several = self.map.map(|_| format!("{}.count > 1", self.map_name()));
        several.into_iter().chain(sizes).collect::<Vec<_>>().join(" || ")
    }

    /// The value of an argument for messages.
    fn message_argument(&self, index: VariableId) -> String {
        kind(&self.names.call.variables[index]).in_message(self, index)
    }

    pub(crate) fn c_argument(&self, index: VariableId) -> String {
        kind(&self.names.call.variables[index]).argument(self, index)
    }
}

/// Takes the GIL again.
fn retake_gil(release: &Release, body: &mut Body) {
    match release {
        Release::Never => {}
        Release::Always => body.line("PyEval_RestoreThread(fp_thread);"),
        Release::WhenLarge(_) | Release::ForWork(_) => {
            body.line("fp_retake_gil(fp_thread);");
        }
    }
}
