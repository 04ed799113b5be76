//! Links the kernels, compiled once for every tool, into this one.

fn main() {
    println!("cargo:rerun-if-env-changed=CALLS_KERNELS");
    if let Ok(object) = std::env::var("CALLS_KERNELS") {
        println!("cargo:rerun-if-changed={object}");
        println!("cargo:rustc-link-arg={object}");
    }
}
