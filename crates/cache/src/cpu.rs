//! The meaning of `-march=native` on this machine, without running a compiler.

use std::io::Read;

/// The fields of /proc/cpuinfo that identify a processor to its compiler, on any architecture.
const FIELDS: [&str; 12] = [
    "vendor_id",
    "cpu family",
    "model",
    "flags",
    "CPU implementer",
    "CPU architecture",
    "CPU variant",
    "CPU part",
    "Features",
    "isa",
    "uarch",
    "cpu",
];

/// The model and features of this processor: a part of the key of everything that is compiled with
/// `-march=native`. A home on many machines may hold entries for each kind of them.
pub fn cpu_features() -> String {
    let mut parts = vec![std::env::consts::ARCH.to_owned()];
    parts.extend(std::fs::File::open("/proc/cpuinfo").ok().map(first_record));
    parts.join("\n")
}

/// The fields of the first processor. The kernel generates the text while it is read, and there may
/// be hundreds of processors: so no more is read than that one needs.
fn first_record(file: impl Read) -> String {
    let mut bytes = Vec::new();
    // An error here is an end of the file: the known fields are then the same each time.
    let _ = file.take(16 << 10).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let record = text.split("\n\n").next().unwrap_or_default();
    let lines = record
        .lines()
        .filter(|line| line.split_once(':').is_some_and(|(name, _)| FIELDS.contains(&name.trim())));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_processor_counts() {
        let text = "processor\t: 0\nvendor_id\t: A\nmicrocode\t: 1\ncpu MHz\t: 7.5\nflags\t: avx2 \
                    fma\n\nprocessor\t: 1\nvendor_id\t: B\n";
        assert_eq!(first_record(text.as_bytes()), "vendor_id\t: A\nflags\t: avx2 fma");
    }

    #[test]
    fn it_is_the_same_each_time() {
        assert_eq!(cpu_features(), cpu_features());
    }
}
