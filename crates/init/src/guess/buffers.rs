//! Buffers of bytes and what C writes to them.
//!
//! Purpose: find the arguments in which C returns how many bytes it has written, and the buffers whose size is not that
//! of the input.
//! Invariant: C never writes beyond a buffer because another one has the length after it.
//! Reason: `encode(to, from, n)` has one length, but the encoded text is longer.

use super::argument::Argument;
use super::sizes::{is_length_argument, is_memory, is_size};
use super::words::{has_word, lower_words};
use fishplate_model::Scalar;

/// Words in names of functions whose output may have more bytes than their input.
const CONVERT: &[&str] = &[
    "encode",
    "decode",
    "encrypt",
    "decrypt",
    "compress",
    "decompress",
    "deflate",
    "inflate",
    "escape",
    "unescape",
    "expand",
    "hex",
    "base64",
    "quote",
    "pad",
    "seal",
];

fn is_byte(scalar: Scalar) -> bool {
    scalar.is_integer() && scalar.size() == 1
}

fn is_of_bytes(argument: &Argument) -> bool {
    is_memory(argument) || argument.scalar().is_some_and(is_byte)
}

/// `size_t *outl` next to `unsigned char *out, size_t outsize`: the number of bytes that C has written.
pub(super) fn filled_lengths(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for index in 0..arguments.len() {
        let length = &arguments[index];
        let is_of = |one: &Argument| {
            let rest = length.lower.strip_prefix(one.lower.as_str());
            let is_named = rest == Some("l") || is_length_argument(length);
            is_of_bytes(one) && !one.is_const && one.shape.is_some() && is_named
        };
        let is_open = length.is_open() && !length.is_const;
        if is_open && length.scalar() == Some(Scalar::Size) && arguments.iter().any(is_of) {
            let length = &mut arguments[index];
            length.intent = Some("out");
            remarks.push(format!("`{}` is the number of bytes that C has written", length.name));
        }
    }
}

/// Names of one byte, to which a function has a pointer.
const ONE_BYTE: &[&str] = &[
    "value", "val", "flag", "byte", "type", "kind", "level", "version", "bit", "ch", "min", "max",
];

/// `hash(unsigned char *out, ...)`: bytes whose number only the documentation says.
pub(super) fn is_of_unknown_size(argument: &Argument) -> bool {
    argument.scalar().is_some_and(is_byte) && !ONE_BYTE.contains(&argument.lower.trim_matches('_'))
}

/// `pad(unsigned char *buf, size_t buflen, size_t max_buflen)`: the larger number is the size of the buffer.
pub(super) fn refuse_capacities(arguments: &[Argument]) -> Result<(), String> {
    const CAPACITY: &[&str] = &["max", "capacity", "cap", "limit"];
    let capacity = arguments.iter().find(|one| {
        one.is_count()
            && one.intent.is_none()
            && has_word(&one.name, CAPACITY)
            && !is_size(arguments, &one.name)
    });
    let is_written = |one: &&Argument| one.shape.is_some() && is_of_bytes(one) && !one.is_const;
    match (arguments.iter().find(is_written), capacity) {
        (Some(buffer), Some(capacity)) => {
            Err(format!("`{}` may have `{}` bytes", buffer.name, capacity.name))
        }
        _ => Ok(()),
    }
}

/// `read_points(const double *buf, int size, int hasZ)`: a point has more values than the size says.
pub(super) fn refuse_points(arguments: &[Argument]) -> Result<(), String> {
    let says = |one: &Argument| {
        let words = lower_words(&one.name);
        one.is_count() && words.len() > 1 && words[0] == "has"
    };
    let is_array = |one: &&Argument| one.shape.as_ref().is_some_and(|shape| shape.len() == 1);
    let mut arrays = arguments.iter().filter(is_array).filter(|one| one.scalar().is_some());
    match (arguments.iter().find(|one| says(one)), arrays.next(), arrays.next()) {
        (Some(flag), Some(array), None) => {
            Err(format!("the length of `{}` may depend on `{}`", array.name, flag.name))
        }
        _ => Ok(()),
    }
}

/// `EncodeBlock(unsigned char *to, const unsigned char *from, int n)`: the length is that of the input.
pub(super) fn refuse_conversions(function: &str, arguments: &[Argument]) -> Result<(), String> {
    let buffers = || arguments.iter().filter(|one| one.shape.is_some() && is_of_bytes(one));
    let converted = buffers().filter(|to| !to.is_const).find_map(|to| {
        let from = buffers().find(|from| from.is_const && from.shape == to.shape)?;
        Some((&to.name, &from.name))
    });
    match converted.filter(|_| has_word(function, CONVERT)) {
        Some((to, from)) => Err(format!("C may write more bytes to `{to}` than `{from}` has")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn conversions_may_write_more_than_they_read() {
        for (header, reason) in [
            (
                "int EncodeBlock(unsigned char *t, const unsigned char *f, int n);",
                "C may write more bytes to `t` than `f` has",
            ),
            (
                "void hex_encode(char *dst, const unsigned char *src, size_t n);",
                "C may write more bytes to `dst` than `src` has",
            ),
            (
                "void aes_cbc_encrypt(const unsigned char *in, unsigned char *out, size_t n);",
                "C may write more bytes to `out` than `in` has",
            ),
        ] {
            assert_eq!(left_out(header), reason);
        }
        let numbers = "int encode(double *y, const double *x, int n);";
        assert_eq!(proto(numbers), "int encode(inplace double y[n], const double x[n], int n)");
    }

    #[test]
    fn lengths_that_are_not_all() {
        for (header, reason) in [
            (
                "int points_read(const double *buf, unsigned int size, int hasZ, int hasM);",
                "the length of `buf` may depend on `hasZ`",
            ),
            (
                "int hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);",
                "the parameter `out` has no known length",
            ),
            (
                "int pad(unsigned char *buf, size_t buflen, size_t blocksize, size_t max_buflen);",
                "`buf` may have `max_buflen` bytes",
            ),
            (
                "int filter(int k, unsigned *flags, unsigned *values, size_t namelen, char *name);",
                "the parameter `flags` has no known length",
            ),
            (
                "int put(int id, const char *name, int type, size_t len, const short *op);",
                "the parameter `name` may be a string that is not NUL-terminated",
            ),
            (
                "double point_get(int idx, unsigned int dim, double *val);",
                "the parameter `val` has no known length",
            ),
            (
                "void blur(float *img, int height, int width, int channels);",
                "the parameter `img` has no known length",
            ),
            (
                "void volume(double *x, int nx, int ny, int nz);",
                "the parameter `x` has no known length",
            ),
            (
                "void grid(int nx, int ny, int nz, double *x);",
                "the parameter `x` has no known length",
            ),
            (
                "int cube(long ncols, long nrows, long naxis1, double *array);",
                "the parameter `array` has no known length",
            ),
        ] {
            assert_eq!(left_out(header), reason, "{header}");
        }
    }

    #[test]
    fn grids_are_matrices() {
        assert_eq!(
            proto("void grid(double *x, int nx, int ny);"),
            "void grid(inplace double x[ny][nx], int nx, int ny)"
        );
        assert_eq!(
            proto("double both(const double *x, int nx, const double *y, int ny);"),
            "double both(const double x[nx], int nx, const double y[ny], int ny)"
        );
    }

    #[test]
    fn return_codes_are_one_number() {
        assert_eq!(
            proto("int read(long nelem, double *array, int *status);"),
            "int read(long nelem, inplace double array[nelem], out int *status)"
        );
        let five =
            (1..6).map(|k| format!("int lib_f{k}(int x, int *status); ")).collect::<String>();
        assert_eq!(
            proto(&format!("{five} int lib_g(long nelem, double *array, int *status);")),
            "int lib_g(long nelem, inplace double array[nelem], status int *status)"
        );
    }

    #[test]
    fn lengths_that_c_writes() {
        assert_eq!(
            proto("int mac_final(int kind, unsigned char *out, size_t *outl, size_t outsize);"),
            "int mac_final(int kind, out unsigned char out[outsize], out size_t *outl, size_t outsize)"
        );
    }
}
