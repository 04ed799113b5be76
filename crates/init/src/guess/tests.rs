mod callbacks;

use super::*;
use fishplate_readers::header::{mask::mask, syntax::parse};

/// The guess for the last function of a header.
pub(super) fn guessed(source: &str) -> Result<Guess, String> {
    let sorts = std::cell::OnceCell::new();
    let mut unit = parse(source, &mask(source));
    let sorts = divide(&mut unit, &sorts);
    let own = Own {
        sorts,
        functions: unit.functions.iter().collect(),
        enumerations: unit.enumerations.iter().collect(),
        pointers: unit.pointers.iter().collect(),
        ..Own::default()
    };
    let context = Context::new(&unit, &own, fishplate_model::words(source).collect());
    let function = unit.functions.last().expect("a function");
    let above = source[..function.head.start.min(function.declarator.start)].rsplit("/*").next();
    let comment = above.filter(|_| source.contains("/*")).unwrap_or_default();
    guess(function, &Comment::new(comment), &context)
}

fn last(source: &str) -> Result<(String, Vec<String>), String> {
    guessed(source).map(|guess| (guess.proto, guess.remarks))
}

pub(super) fn proto(source: &str) -> String {
    last(source).unwrap().0
}

pub(super) fn left_out(source: &str) -> String {
    last(source).unwrap_err()
}

#[test]
fn complete_prototypes_need_no_remark() {
    assert_eq!(
        last("double cos(double);"),
        Ok((
            "double cos(double arg1)".into(),
            vec!["the header does not name its parameters".into()]
        ))
    );
    assert_eq!(last("extern int f(void);"), Ok(("int f(void)".into(), vec![])));
    assert_eq!(
        last("double dot(int n, const double x[n], const double y[n]);").unwrap().1,
        Vec::<String>::new()
    );
}

#[test]
fn return_codes_that_are_arguments() {
    for (header, guessed) in [
        (
            "void scale(int n, double *x, int *info);",
            "void scale(int n, inplace double x[n], status int *info)",
        ),
        ("double root(double x, int *error);", "double root(double x, status int *error)"),
        // The result, or one of two arguments, may be the return code.
        ("int both(double x, int *err);", "int both(double x, out int *err)"),
        (
            "void two(double x, int *err, int *info);",
            "void two(double x, out int *err, out int *info)",
        ),
        ("void range(double x, double *error);", "void range(double x, out double *error)"),
    ] {
        assert_eq!(proto(header), guessed, "{header}");
    }
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
            "int hybrd1(int n, double *x, double tol, double *wa, int lwa);",
            "int hybrd1(int n, inplace double x[n], double tol, inplace double wa[lwa], int lwa)",
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
        (
            "void range(double *min, double *max);",
            "void range(in out double *min, in out double *max)",
        ),
        ("void f(double x[10], int in);", "void f(inplace double x[10], int in)"),
        ("void g(int n, double in[n]);", "void g(int n, inplace double in[n])"),
    ] {
        assert_eq!(proto(header), guessed);
    }
}

#[test]
fn following_counts_win_over_n() {
    for (header, guessed) in [
        (
            "typedef unsigned long size_t; void histogram(const double *data, size_t n, double lo,
             double hi, unsigned *counts, size_t nbins);",
            "void histogram(const double data[n], size_t n, double lo, double hi, \
             inplace unsigned counts[nbins], size_t nbins)",
        ),
        (
            "typedef struct { double x, y; } pt; void shift(int n, const pt *a, pt *b);",
            "void shift(int n, const pt a[n], inplace pt b[n])",
        ),
    ] {
        assert_eq!(proto(header), guessed);
    }
    for header in [
        "void f(const double *x, int n, double *table, int nrow, int nval);",
        "void f(int n, double *table, int nrow, int nval);",
        "void f(int n, const double *x, float *table, int scale, int frame_size);",
    ] {
        assert_eq!(left_out(header), "the parameter `table` has no known length");
    }
    let (proto, remarks) = last("struct p { int x; }; int get(const struct p *a, int n);").unwrap();
    assert_eq!(proto, "int get(const struct p a[n], int n)");
    assert_eq!(remarks.len(), 1);
    let (proto, remarks) =
        last("struct p { int x; }; int get(const struct p *a, double d);").unwrap();
    assert_eq!(proto, "int get(const struct p *a, double d)");
    assert_eq!(remarks, ["`a` is one struct, not an array of structs"]);
}

#[test]
fn sizes_that_no_prototype_has() {
    for (header, name) in [
        ("int part(int *nvtxs, int *ncon, int *edges);", "edges"),
        ("void normalize(double *v);", "v"),
        ("void swap(double *a, double *b);", "a"),
    ] {
        assert_eq!(left_out(header), format!("the parameter `{name}` has no known length"));
    }
    for (header, name) in [
        ("int part(int *nvtxs, int *xadj, int *adjncy);", "xadj"),
        (
            "void spmv(int n, const int *indptr, const int *indices, const double *data, double *y);",
            "indptr",
        ),
        ("void solve(int n, const int *Ap, const int *Ai, const double *Ax, double *b);", "Ap"),
        (
            "void sum_lists(int n, const int *row_offsets, const double *values, double *sums);",
            "row_offsets",
        ),
    ] {
        let reason = format!(
            "the values of `{name}` are positions in another array, whose length is unknown"
        );
        assert_eq!(left_out(header), reason);
    }
    // Without an array of indices, `ap` is any array.
    assert_eq!(
        proto("double sum(int n, const double *ap);"),
        "double sum(int n, const double ap[n])"
    );
}

#[test]
fn statistics_are_one_number_each() {
    for (header, guessed) in [
        (
            "void stats(const double *x, int n, double *mean, double *var_out);",
            "void stats(const double x[n], int n, out double *mean, out double *var_out)",
        ),
        (
            "void running_mean(const double *x, int n, double *mean);",
            "void running_mean(const double x[n], int n, inplace double mean[n])",
        ),
        (
            "void smooth(const double *x, int n, int window, double *mean);",
            "void smooth(const double x[n], int n, int window, inplace double mean[n])",
        ),
        ("void mean_of(int n, double *mean);", "void mean_of(int n, inplace double mean[n])"),
    ] {
        assert_eq!(proto(header), guessed);
    }
}

#[test]
fn names_of_pointers_are_pointers() {
    for (header, guessed) in [
        ("typedef const char *str_t; int f(str_t s);", "int f(const char *s)"),
        (
            "typedef unsigned char b; typedef const b *cb; int f(cb p, int n);",
            "int f(const b p[n], int n)",
        ),
        ("typedef double *vec; void f(vec out, int n);", "void f(out double out[n], int n)"),
        (
            "typedef struct { double re, im; } my_Complex; double f(my_Complex z);",
            "double f(my_Complex z)",
        ),
    ] {
        assert_eq!(proto(header), guessed);
    }
    assert_eq!(left_out("typedef a *b; typedef b *a; int f(a x);"), "`x` is an opaque handle");
}

#[test]
fn results_are_guessed_from_comments() {
    for (header, guessed) in [
        ("double *range(double a, int n);", "own(free) double *range(double a, int n)[n]"),
        (
            "/* The caller must free it. */ int *codes(const char *s, int *count);",
            "own(free) int *codes(const char *s, out int *count)[count]",
        ),
        (
            "void my_free(void *p); float *my_alloc(unsigned n);",
            "own(my_free) float *my_alloc(unsigned n)[n]",
        ),
        (
            "/* Returns 0, or -1 if there is no memory. */ int fill(double *out, int n);",
            "status int fill(out double out[n], int n)",
        ),
        ("/* Returns 1 on success. */ int is(int n);", "int is(int n)"),
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
            "`x` is an array of `n` elements, because the integer `n` precedes it",
            "`dst` is an array of `n` elements, because the integer `n` precedes it",
            "C fills `dst`, according to its name"
        ]
    );
}

#[test]
fn texts_with_their_lengths() {
    for (header, guessed) in [
        ("int f(const char *sql, int len);", "int f(const char *sql, hidden int len = len(sql))"),
        ("int f(const char *s, int len);", "int f(bytes const char s[len], int len)"),
        (
            "int f(const char *src, char *dst, int compressedSize, int dstCapacity);",
            "int f(bytes const char src[compressedSize], out bytes char dst[dstCapacity : result], \
             int compressedSize, int dstCapacity)",
        ),
        (
            "int BZ_compress(char *dest, unsigned *destLen, char *source, unsigned sourceLen);",
            "int BZ_compress(out bytes char dest[destLen], in out unsigned *destLen, \
             in bytes char source[sourceLen], unsigned sourceLen)",
        ),
        (
            "int put(const char *key, const void *value, int size, int flags);",
            "int put(const char *key, bytes const void value[size], int size, int flags)",
        ),
        ("typedef const char *text; text shout(const char *s);", "text shout(const char *s)"),
        ("int seek(const char *name, int flags);", "int seek(const char *name, int flags)"),
    ] {
        assert_eq!(proto(header), guessed);
    }
    for header in [
        "int f(const char *a, double *x, const char *b, double y, int packedSize);",
        "int put(const char *s, int k);",
    ] {
        assert!(
            left_out(header).ends_with("may be a string that is not NUL-terminated"),
            "{header}"
        );
    }
}

#[test]
fn texts_end_with_their_nul() {
    let (proto, remarks) = last("const char *shout(const char *s, double x);").unwrap();
    assert_eq!(proto, "const char *shout(const char *s, double x)");
    assert_eq!(remarks, ["the library owns the returned string", "`s` is a NUL-terminated string"]);
}

#[test]
fn missing_guesses_have_reasons() {
    for (header, reason) in [
        ("int printf(const char *format, ...);", "the function is variadic"),
        ("int gets(char *s);", "the parameter `s` is a string buffer with no known size"),
        (
            "int put(const char *s, int k);",
            "the parameter `s` may be a string that is not NUL-terminated",
        ),
        ("char *name(int n);", "the returned pointer has no known owner or length"),
        (
            "double f(double *(*g)(double));",
            "`g` is a callback: the returned pointer has no known owner or length",
        ),
        (
            "typedef double (*cb)(double *x); double f(cb g);",
            "`g` is a callback: the parameter `x` has no known length",
        ),
        ("struct s; void f(struct s *p);", "`p` is a pointer to a struct"),
        ("typedef struct { int *a; } s; s f(void);", "the function returns a struct"),
        ("typedef struct s *handle; void f(handle h);", "`h` is an opaque handle"),
        ("double *f(void);", "the returned array has no known length"),
        ("double *f(double *x, int n);", "the owner of the returned array is unknown"),
        ("double *f_get(int n);", "the owner of the returned array is unknown"),
        ("const double *f(int n);", "the returned pointer has no known owner or length"),
        ("void f(double **x, int n);", "`x` is a pointer to pointers"),
        ("void f(void *p, int n);", "`p` is a `void` pointer"),
        ("long double f(long double x);", "`x` is a `long double`"),
        ("void f(double (*a)[3]);", "`a` is a pointer to an array"),
        ("double f(const double *x);", "the parameter `x` has no known length"),
        ("void f(double *buffer);", "the parameter `buffer` has no known length"),
        (
            "void f(int crows, int ccols, double *a, int clda);",
            "the parameter `a` has no known length",
        ),
        ("void f(int n, double a[][3]);", "the header does not specify the shape of `a`"),
        ("__int128 f(void);", "the function returns a compiler-specific type"),
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
            "its matrix is stored in band format",
        ),
        (
            "void f(int rows, int cols, const double *a, int lda);",
            "the parameter `a` has no known shape",
        ),
        (
            "int LAPACKE_dgesv_work(int matrix_layout, int n, double *a, int lda);",
            "the caller must allocate its workspace; the function without `_work` allocates it",
        ),
        (
            "int LAPACKE_dx(int matrix_layout, int n, double *a, int lda, double *q);",
            "the parameter `q` has no known shape",
        ),
    ] {
        assert_eq!(left_out(&format!("{CBLAS} {header}")), reason);
    }
}

const OVER: &str = "the function takes ownership of an argument, according to its comment";

/// A library with objects.
pub(super) const OBJECTS: &str = "typedef struct db db; typedef struct row row; enum { DB_OK };
    db *db_open(const char *path); void db_close(db *d); void db_free(void *memory);
    int db_find(db *d, int id, row **found); void row_free(row *r);";

#[test]
fn objects_have_owners() {
    for (function, guessed) in [
        ("db *db_clone(const db *d);", "own db *db_clone(const db *d)"),
        ("row *db_create_row(db *d);", "own keep(d) row *db_create_row(db *d)"),
        ("row *db_row(db *d);", "borrow(d) row *db_row(db *d)"),
        (
            "/* The row, owned by d. Its pointer must not be freed. */ row *db_take(db *d);",
            "borrow(d) row *db_take(db *d)",
        ),
        ("void db_add(db *d, const row *r);", "void db_add(db *d, const row *r)"),
        ("row *db_next_row(db *d);", "borrow(d) nullable row *db_next_row(db *d)"),
        ("const row *db_row(db *d);", "borrow(d) const row *db_row(db *d)"),
        ("row *db_last_row(const db *d);", "borrow(d) nullable row *db_last_row(const db *d)"),
        ("row *db_add_row(db *d, int n);", "borrow(d) row *db_add_row(db *d, int n)"),
        ("db *row_handle(row *r);", "borrow(r) db *row_handle(row *r)"),
        (
            "int db_open_row(db *d, row **r);",
            "status int db_open_row(db *d, out own keep(d) row **r)",
        ),
        (
            "db *db_create(int n, double *memory, const double *first);",
            "own keep(memory) db *db_create(int n, inout double memory[n], const double first[n])",
        ),
        (
            "struct list; struct list *list_new(void); void list_free(struct list *l);
             void list_add(db *d, const struct list *l);",
            "void list_add(db *d, const struct list *l)",
        ),
        (
            "/* A new one. The caller must free it by db_close. */ db *db_join(const db *a, const db *b);",
            "own keep(a, b) db *db_join(const db *a, const db *b)",
        ),
        (
            "typedef struct db *db_p; typedef const struct db *db_cp; int db_n(db_cp a, const db_p b);",
            "int db_n(const db *a, db *b)",
        ),
        (
            "typedef struct { const int *x; } box; box *box_new(void); void box_free(box *b);
             void box_fill(box *b, int x);",
            "void box_fill(box *b, int x)",
        ),
        ("db *db_by_name(const char *s);", "own db *db_by_name(const char *s)"),
        (
            "int db_exec(db *d, const char *sql, char **error);",
            "status int db_exec(db *d, const char *sql, out nullable own(db_free) char **error)",
        ),
        (
            "int db_get(db *d, char *name, int size);",
            "int db_get(db *d, out text char name[size], int size)",
        ),
        (
            "typedef unsigned long size_t; long db_read(db *d, void *to, size_t n);",
            "long db_read(db *d, out bytes void to[n : result], size_t n)",
        ),
    ] {
        assert_eq!(proto(&format!("{OBJECTS} {function}")), guessed);
    }
}

#[test]
fn functions_that_may_crash_are_left_out() {
    for (function, reason) in [
        ("int db_destroy(db *d);", "the function may free a `Db`, as its destructor does"),
        ("void db_release(db **d);", "the function may free a `Db`, as its destructor does"),
        ("void db_list_destroy(int *list);", "the function may free its argument"),
        (
            "void db_ref_prefix(db *d, char *p, int size);",
            "C may use `p` after the function returns",
        ),
        (
            "void db_set_buffer(db *d, char *b, int size);",
            "C may use `b` after the function returns",
        ),
        (
            "void db_attach(db *d, const db *other);",
            "`d` may use `other` after the function returns",
        ),
        ("void db_add(db *d, row *r);", "`d` may use `r` after the function returns"),
        (
            "void db_decode(db *d, const unsigned char *data, int len, float *pcm, int frame_size);",
            "the parameter `pcm` has no known length",
        ),
        (
            "typedef struct txn txn; txn *row_txn(row *r); int txn_begin(db *d, txn **t);
             int txn_commit(txn *t);",
            "`t` is a pointer to a struct",
        ),
        ("db *db_join(const db *a, const db *b);", "the owner of the returned `Db` is unknown"),
        ("row *db_row_at(const db *d, int i);", "the owner of the returned `Row` is unknown"),
        ("/* The row's ownership passes to d. */ int db_put(db *d, row *r);", OVER),
        (
            "db *db_collect(int kind, row **rows, unsigned nrows);",
            "`rows` may be an array of handles",
        ),
        ("typedef void FILE_; int db_read(FILE_ *f, int len);", "`f` is an opaque handle"),
        (
            "row *row_realloc(row *r, int n);",
            "the function may invalidate an object that it is passed",
        ),
        ("row *db_get_global(void);", "the owner of the returned `Row` is unknown"),
        ("db *db_join(db *a, db *b);", "the owner of the returned `Db` is unknown"),
        ("row *db_get_row(const db *d);", "the owner of the returned `Row` is unknown"),
        ("row *db_take_row(db *d);", "the owner of the returned `Row` is unknown"),
        ("db *db_init(db *d);", "the owner of the returned `Db` is unknown"),
        ("row *db_read(db *d, const char *key);", "the owner of the returned `Row` is unknown"),
        (
            "/* Returns an internal row. The caller must free the result. */ row *db_pick(db *d);",
            "the owner of the returned `Row` is unknown",
        ),
        ("int db_look(db *d, row **r);", "the owner of the `Row` that C stores in `r` is unknown"),
        ("void db_each(db **all, int n);", "`all` may be an array of handles"),
        ("void db_free_all(char **strings);", "the function may free its argument"),
        ("int db_names(db *d, char **names);", "the parameter `names` may be a list of strings"),
        (
            "const char *db_text(db *d, int *length);",
            "the returned string may not be NUL-terminated",
        ),
        ("void db_mean(db *d, double *columns);", "the parameter `columns` has no known length"),
        (
            "db *db_create(void (*log)(void *data, int n), void *data);",
            "C may call `log` during the lifetime of the created object",
        ),
        (
            "void db_watcher(db *d, void (*f)(void *data, int n), void *data);",
            "C may call `f` after the function returns",
        ),
        ("void db_register(int (*f)(int n));", "C may call `f` after the function returns"),
        (
            "void db_add_rule(db *d, int (*f)(int n));",
            "C may call `f` after the function returns, without user data",
        ),
        (
            "void db_run(void (*f)(void *data));",
            "`f` is a callback: it may be a destructor of its user data",
        ),
        (
            "void db_run(int (*f)(void *data, int n));",
            "`f` is a callback whose user data is set elsewhere",
        ),
    ] {
        assert_eq!(left_out(&format!("{OBJECTS} {function}")), reason, "{function}");
    }
}
