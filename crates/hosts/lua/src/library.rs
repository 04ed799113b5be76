//! The tensor library for one Lua: `require 'fishplate'`.

use crate::{RUNTIME_NAME, tensor_header};
use fishplate_toolchain::{Request, Target, Unit};

macro_rules! library {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../../bindings/lua/fishplate/", $name)))),*]
    };
}

const UNITS: [(&str, &str); 8] = library!(
    "arguments.c",
    "create.c",
    "exchange.c",
    "fishplate.c",
    "index.c",
    "text.c",
    "values.c",
    "views.c"
);
const HEADERS: [(&str, &str); 1] = library!("library.h");

/// Annotations of the library for editors.
const ANNOTATIONS: &str = include_str!("../../../../bindings/lua/fishplate.d.lua");

/// The build request; the caller chooses the folder.
pub(crate) fn request(target: &Target) -> Request {
    let file_name = format!("fishplate{}", target.suffix);
    let mut request = Request::new(file_name.clone(), "", file_name);
    let generated = |(name, text): &(&str, &str)| Unit::generated(*name, *text);
    request.units = UNITS.iter().map(generated).collect();
    request.headers = HEADERS.iter().map(generated).collect();
    request.headers.push(Unit::generated(RUNTIME_NAME, tensor_header()));
    request.extra_files.push(("fishplate.d.lua".to_owned(), ANNOTATIONS.to_owned()));
    target.complete(&mut request);
    request
}
