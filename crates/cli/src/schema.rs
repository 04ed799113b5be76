//! `fishplate schema`

use fishplate_driver::json_schema;

pub(crate) fn run() -> bool {
    crate::report::print_json(&json_schema());
    true
}
