use super::*;
use crate::header::{mask::mask, syntax::parse};

/// What is guessed for the last function of a header.
fn last(source: &str) -> Result<(String, Vec<String>), String> {
    let unit = parse(source, &mask(source));
    let types = unit.types();
    let context = Context { unit: &unit, types: &types, words: Context::words(source).collect() };
    let function = unit.functions.last().expect("a function");
    guess(function, &context).map(|guess| (guess.proto, guess.remarks))
}

fn proto(source: &str) -> String {
    last(source).unwrap().0
}

fn left_out(source: &str) -> String {
    last(source).unwrap_err()
}

#[test]
fn what_says_everything_needs_no_remark() {
    assert_eq!(
        last("double cos(double);"),
        Ok((
            "double cos(double arg1)".into(),
            vec!["the header does not name its arguments".into()]
        ))
    );
    assert_eq!(last("extern int f(void);"), Ok(("int f(void)".into(), vec![])));
    assert_eq!(
        last("double dot(int n, const double x[n], const double y[n]);").unwrap().1,
        Vec::<String>::new()
    );
}

#[test]
fn lengths_by_name_and_by_place() {
    for (header, guessed) in [
        ("double mean(const double *x, int n);", "double mean(const double x[n], int n)"),
        (
            "void axpy(unsigned long count, double a, const double *x, double *y);",
            "void axpy(unsigned long count, double a, const double x[count], inplace double y[count])",
        ),
        (
            "void conv(const float *x, int nx, const float *h, int nh, float *out, int n_out);",
            "void conv(const float x[nx], int nx, const float h[nh], int nh, out float out[n_out], int n_out)",
        ),
        (
            "typedef unsigned char Byte; typedef unsigned long uLong;
             int compress(Byte *dest, uLong *destLen, const Byte *source, uLong sourceLen);",
            "int compress(out Byte dest[destLen], in out uLong *destLen, \
             const Byte source[sourceLen], uLong sourceLen)",
        ),
        (
            "void blur(const float *img, float *dst, int height, int width);",
            "void blur(const float img[height][width], out float dst[height][width], int height, int width)",
        ),
        (
            "void matvec(int m, int n, const double *a, const double *x, double *y);",
            "void matvec(int m, int n, const double a[m][n], const double x[n], inplace double y[m])",
        ),
        (
            "typedef unsigned long size_t; unsigned hash(const unsigned char *key, size_t bytes);",
            "unsigned hash(const unsigned char key[bytes], size_t bytes)",
        ),
        ("double modf(double x, double *whole);", "double modf(double x, out double *whole)"),
        ("void swap(double *a, double *b);", "void swap(in out double *a, in out double *b)"),
        ("void f(double x[10], int in);", "void f(inplace double x[10], int in)"),
        ("void g(int n, double in[n]);", "void g(int n, inplace double in[n])"),
    ] {
        assert_eq!(proto(header), guessed);
    }
}

#[test]
fn every_guess_has_a_remark() {
    let (_, remarks) = last("void f(int n, const double *x, double *dst);").unwrap();
    assert_eq!(
        remarks,
        [
            "`x` is an array of `n` elements, as `n` is an integer before it",
            "`dst` is an array of `n` elements, as `n` is an integer before it",
            "C fills `dst`, as its name says"
        ]
    );
}

#[test]
fn texts_end_with_their_nul() {
    let (proto, remarks) = last("const char *shout(const char *s, double x);").unwrap();
    assert_eq!(proto, "const char *shout(const char *s, double x)");
    assert_eq!(
        remarks,
        ["what it returns is a text that the library keeps", "`s` is a text that ends with a NUL"]
    );
}

#[test]
fn what_cannot_be_guessed_says_why() {
    for (header, reason) in [
        ("int printf(const char *format, ...);", "it takes a variable number of arguments"),
        ("int gets(char *s);", "`s` is a string that C may write"),
        ("int put(const char *s, int n);", "`s` may be a string with a length"),
        ("char *name(int n);", "it returns a pointer"),
        ("double f(double (*g)(double));", "`g` is a callback"),
        ("typedef double (*cb)(double); double f(cb g);", "`g` is a callback"),
        ("struct s; void f(struct s *p);", "`p` is a pointer to a struct"),
        ("typedef struct { int a; } s; s f(void);", "it returns a struct"),
        ("typedef struct s *handle; void f(handle h);", "`h` is an opaque handle"),
        ("double *f(void);", "it returns a pointer"),
        ("void f(double **x, int n);", "`x` is a pointer to pointers"),
        ("void f(void *p, int n);", "`p` is a `void` pointer"),
        ("long double f(long double x);", "it returns a `long double`"),
        ("void f(double (*a)[3]);", "`a` is a pointer to an array"),
        ("double f(const double *x);", "nothing tells how long `x` is"),
        ("void f(double *buffer);", "nothing tells how long `buffer` is"),
        ("void f(int crows, int ccols, double *a, int clda);", "nothing tells how long `a` is"),
        ("void f(int n, double a[][3]);", "the shape of `a` is not written in the header"),
        ("__int128 f(void);", "it returns a type of the compiler's own"),
    ] {
        assert_eq!(left_out(header), reason, "{header}");
    }
}

const CBLAS: &str = "enum ORDER { CblasRowMajor = 101 }; enum T { CblasNoTrans = 111 };
    enum S { CblasLeft = 141 }; enum U { CblasUpper = 121 }; enum D { CblasNonUnit = 131 };";

#[test]
fn strides_of_vectors() {
    assert_eq!(
        proto("double gsl_mean(const double data[], const size_t stride, const size_t n);"),
        "double gsl_mean(const double data[n], hidden size_t stride = stride(data), size_t n)"
    );
}

#[test]
fn blas_by_its_conventions() {
    for (header, guessed) in [
        (
            "double cblas_ddot(const int n, const double *x, const int incx, const double *y, const int incy);",
            "double cblas_ddot(int n, const double x[n], hidden int incx = stride(x), \
             const double y[n], hidden int incy = stride(y))",
        ),
        (
            "void cblas_zaxpy(int N, const void *alpha, const void *X, int incX, void *Y, int incY);",
            "void cblas_zaxpy(int N, in const double _Complex *alpha, const double _Complex X[N], \
             hidden int incX = stride(X), inplace double _Complex Y[N], hidden int incY = stride(Y))",
        ),
        (
            "void cblas_dgemv(enum ORDER order, enum T trans, int m, int n, double alpha,
             const double *a, int lda, const double *x, int incx, double beta, double *y, int incy);",
            "void cblas_dgemv(hidden enum ORDER order = CblasRowMajor, \
             hidden enum T trans = CblasNoTrans, int m, int n, double alpha, \
             const double a[m][n], hidden int lda = stride(a, 0), const double x[n], \
             hidden int incx = stride(x), double beta, inplace double y[m], hidden int incy = stride(y))",
        ),
        (
            "void cblas_dsyrk(enum ORDER Order, enum U Uplo, enum T Trans, int N, int K,
             double alpha, const double *A, int lda, double beta, double *C, int ldc);",
            "void cblas_dsyrk(hidden enum ORDER Order = CblasRowMajor, enum U Uplo = CblasUpper, \
             hidden enum T Trans = CblasNoTrans, int N, int K, double alpha, \
             const double A[N][K], hidden int lda = stride(A, 0), double beta, \
             inplace double C[N][N], hidden int ldc = stride(C, 0))",
        ),
        (
            "typedef int lapack_int; lapack_int LAPACKE_dgesv(int matrix_layout, lapack_int n,
             lapack_int nrhs, double *a, lapack_int lda, lapack_int *ipiv, double *b, lapack_int ldb);",
            "status lapack_int LAPACKE_dgesv(hidden int matrix_layout = 101, lapack_int n, \
             lapack_int nrhs, inplace double a[n][n], hidden lapack_int lda = stride(a, 0), \
             out lapack_int ipiv[n], inplace double b[n][nrhs], hidden lapack_int ldb = stride(b, 0))",
        ),
    ] {
        assert_eq!(proto(&format!("{CBLAS} {header}")), guessed);
    }
}

#[test]
fn blas_beyond_its_conventions() {
    for (header, reason) in [
        (
            "void cblas_dgbmv(enum ORDER o, int m, int n, int kl, const double *a, int lda);",
            "its matrix is in band storage",
        ),
        (
            "void f(int rows, int cols, const double *a, int lda);",
            "no convention tells the shape of `a`",
        ),
        (
            "int LAPACKE_dgesv_work(int matrix_layout, int n, double *a, int lda);",
            "it wants workspace; the function without `_work` makes its own",
        ),
        (
            "int LAPACKE_dx(int matrix_layout, int n, double *a, int lda, double *q);",
            "no convention tells the shape of `q`",
        ),
    ] {
        assert_eq!(left_out(&format!("{CBLAS} {header}")), reason);
    }
}
