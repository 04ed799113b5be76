//! The loop of a map over contiguous elements.

use fishplate_emit::Body as Text;
use fishplate_graph::{Arg, Body};

use crate::body;
use crate::ctype::c_type;
use crate::helpers::Helpers;
use crate::quotients::{Loop, Source};

/// The function `name`, an `fp_inner`: outputs come first in `p`, then inputs.
///
/// The loop is marked as having independent iterations: an output may be the very memory of an
/// input, but then element by element.
pub fn inner(name: &str, of: &Body, scalar: &[bool], helpers: &mut Helpers) -> String {
    let mut text = Text::at_depth(0);
    let each = Loop::of(
        &of.instructions,
        body::statements(of, helpers),
        body::name,
        |arg| match arg {
            Arg::Input(number) if scalar[number] => Source::Same,
            Arg::Input(_) => Source::Element,
            Arg::Local(number) => Source::Instruction(number),
        },
        helpers,
    );
    text.line("static void");
    text.line(format!("{name}(char *const *p, fp_size n)"));
    text.open("");
    for (number, &arg) in of.outputs.iter().enumerate() {
        let c = c_type(of.dtype(arg));
        text.line(format!("{c} *out{number} = ({c} *)p[{number}];"));
    }
    let outputs = of.outputs.len();
    body::inputs(of, outputs, scalar).iter().for_each(|line| text.line(line));
    each.print(&mut text, (outputs, outputs + of.inputs.len()), &|text, statements| {
        body::turn(of, scalar, "i", statements).iter().for_each(|line| text.line(line));
        for (number, &arg) in of.outputs.iter().enumerate() {
            text.line(format!("out{number}[i] = {};", body::name(arg)));
        }
    });
    text.close();
    text.into_text()
}
