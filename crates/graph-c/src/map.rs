//! The loop of a map over contiguous elements.

use fishplate_emit::Body as Text;
use fishplate_graph::Body;

use crate::body;
use crate::ctype::c_type;
use crate::helpers::Helpers;

/// The function `name`, an `fp_inner`: outputs come first in `p`, then inputs.
///
/// The loop is marked as having independent iterations: an output may be the very memory of an
/// input, but then element by element.
pub fn inner(name: &str, of: &Body, scalar: &[bool], helpers: &mut Helpers) -> String {
    let mut text = Text::at_depth(0);
    let statements = body::statements(of, helpers);
    text.line("static void");
    text.line(format!("{name}(char *const *p, fp_size n)"));
    text.open("");
    for (number, &arg) in of.outputs.iter().enumerate() {
        let c = c_type(of.dtype(arg));
        text.line(format!("{c} *out{number} = ({c} *)p[{number}];"));
    }
    body::inputs(of, of.outputs.len(), scalar).iter().for_each(|line| text.line(line));
    text.line("fp_size i;");
    text.line("FP_INDEPENDENT");
    text.block("for (i = 0; i < n; i++)", |text| {
        body::turn(of, scalar, "i", &statements).iter().for_each(|line| text.line(line));
        for (number, &arg) in of.outputs.iter().enumerate() {
            text.line(format!("out{number}[i] = {};", body::name(arg)));
        }
    });
    text.close();
    text.into_text()
}
