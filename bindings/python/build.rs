//! Tells the linker that Python itself brings what the module needs of it.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
