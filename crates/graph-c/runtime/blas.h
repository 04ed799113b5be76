/* BLAS, looked up at the first use: in libraries that the process has loaded already (NumPy's own
 * OpenBLAS, MKL), else on the system. Without any, products are computed by the runtime's own
 * loops.
 *
 * Libraries differ in the width of their integers and in the prefixes and suffixes of names. */
#ifndef FP_BLAS
#define FP_BLAS

#include <dlfcn.h>
#include <pthread.h>
#ifdef __linux__
#include <link.h>
#endif

#include "base.h"

enum { FP_ROW_MAJOR = 101, FP_PLAIN = 111, FP_TRANSPOSED = 112 };

/* CBLAS with integers of type I and elements of type T; complex numbers are passed by address. */
#define FP_CBLAS(NAME, I, T, ALPHA)                                                             \
    typedef void (*NAME##_gemm)(int, int, int, I, I, I, ALPHA, const T *, I, const T *, I, ALPHA, T *, I); \
    typedef void (*NAME##_gemv)(int, int, I, I, ALPHA, const T *, I, const T *, I, ALPHA, T *, I);
FP_CBLAS(fp_s32, int32_t, float, float)
FP_CBLAS(fp_s64, int64_t, float, float)
FP_CBLAS(fp_d32, int32_t, double, double)
FP_CBLAS(fp_d64, int64_t, double, double)
FP_CBLAS(fp_z32, int32_t, void, const void *)
FP_CBLAS(fp_z64, int64_t, void, const void *)

typedef void (*fp_symbol)(void);

typedef struct {
    int wide;              /* integers have 64 bits */
    fp_symbol gemm[4], gemv[4]; /* for s, d, c, z; NULL: absent */
} fp_blas;

static fp_blas fp_the_blas;
static pthread_once_t fp_blas_once = PTHREAD_ONCE_INIT;

static fp_symbol
fp_find_symbol(void *library, const char *prefix, char letter, const char *name, const char *suffix)
{
    char text[64];
    void *found;
    fp_symbol symbol;
    snprintf(text, sizeof(text), "%s%c%s%s", prefix, letter, name, suffix);
    found = dlsym(library, text);
    memcpy(&symbol, &found, sizeof(symbol)); /* ISO C has no such cast */
    return symbol;
}

/* Uses a library's functions if it has all of them. */
static int
fp_try_blas(void *library)
{
    static const struct {
        const char *prefix, *suffix;
        int wide;
    } spellings[] = {{"scipy_cblas_", "64_", 1}, {"cblas_", "64_", 1}, {"scipy_cblas_", "", 0}, {"cblas_", "", 0}};
    size_t s;
    for (s = 0; s < sizeof(spellings) / sizeof(spellings[0]); s++) {
        fp_blas found;
        int k, all = 1;
        for (k = 0; k < 4; k++) {
            found.gemm[k] = fp_find_symbol(library, spellings[s].prefix, "sdcz"[k], "gemm", spellings[s].suffix);
            found.gemv[k] = fp_find_symbol(library, spellings[s].prefix, "sdcz"[k], "gemv", spellings[s].suffix);
            all = all && found.gemm[k] != NULL && found.gemv[k] != NULL;
        }
        if (all) {
            found.wide = spellings[s].wide;
            fp_the_blas = found;
            return 1;
        }
    }
    return 0;
}

/* Tries a library; it stays open if it is used. */
static int
fp_try_library(const char *path, int flags)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | flags);
    if (library == NULL) {
        return 0;
    }
    if (fp_try_blas(library)) {
        return 1;
    }
    dlclose(library);
    return 0;
}

#ifdef __linux__
/* A library of the process: BLAS is in a file with such a name. */
static int
fp_look_at_loaded(struct dl_phdr_info *info, size_t size, void *unused)
{
    const char *slash = strrchr(info->dlpi_name, '/'), *file = slash == NULL ? info->dlpi_name : slash + 1;
    (void)size;
    (void)unused;
    return (strstr(file, "blas") != NULL || strstr(file, "mkl_rt") != NULL)
           && fp_try_library(info->dlpi_name, RTLD_NOLOAD);
}
#endif

static void
fp_find_blas(void)
{
    static const char *const names[] = {
#ifdef __APPLE__
        "/System/Library/Frameworks/Accelerate.framework/Accelerate",
#endif
        "libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libcblas.so.3", "libblas.so.3",
    };
    size_t k;
#ifdef __linux__
    if (dl_iterate_phdr(fp_look_at_loaded, NULL)) {
        return;
    }
#endif
    for (k = 0; k < sizeof(names) / sizeof(names[0]) && !fp_try_library(names[k], 0); k++) {
    }
}

/* The BLAS type of an element; -1: none. */
static inline int
fp_blas_type(int type)
{
    return type == FP_FLOAT32 ? 0 : type == FP_FLOAT64 ? 1 : type == FP_COMPLEX64 ? 2 : type == FP_COMPLEX128 ? 3 : -1;
}

static const fp_blas *
fp_get_blas(void)
{
    pthread_once(&fp_blas_once, fp_find_blas);
    return &fp_the_blas;
}

/* Whether sizes fit into BLAS's integers. */
static inline int
fp_fits_blas(const fp_blas *blas, fp_size size)
{
    return blas->wide || size <= INT32_MAX;
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* How an operand of a product is passed. */
typedef struct {
    const char *data;
    int transposed; /* FP_PLAIN or FP_TRANSPOSED */
    fp_size lead;   /* elements from one row (or column) to the next */
} fp_factor;

#define FP_CALL_GEMM(NAME, I, T, ALPHA, CAST)                                                   \
    ((NAME##_gemm)blas->gemm[k])(FP_ROW_MAJOR, a.transposed, b.transposed, (I)m, (I)n, (I)inner, \
                                 CAST(ALPHA)alpha, (const T *)a.data, (I)a.lead, (const T *)b.data,   \
                                 (I)b.lead, CAST(ALPHA)beta, (T *)out, (I)lead)
#define FP_CALL_GEMV(NAME, I, T, ALPHA, CAST)                                                   \
    ((NAME##_gemv)blas->gemv[k])(FP_ROW_MAJOR, a.transposed, (I)rows, (I)columns,               \
                                 CAST(ALPHA)alpha, (const T *)a.data, (I)a.lead, (const T *)x, (I)xstep, \
                                 CAST(ALPHA)beta, (T *)y, (I)ystep)
#define FP_BY_VALUE(T) *(const T *)
#define FP_BY_ADDRESS(T) (T)

/* out (m x n) = alpha * a (m x inner) @ b (inner x n) + beta * out; rows of `out` are `lead` apart. */
static void
fp_gemm(const fp_blas *blas, int k, fp_size m, fp_size n, fp_size inner, const void *alpha, fp_factor a,
        fp_factor b, const void *beta, char *out, fp_size lead)
{
    switch (2 * k + blas->wide) {
    case 0: FP_CALL_GEMM(fp_s32, int32_t, float, float, FP_BY_VALUE); break;
    case 1: FP_CALL_GEMM(fp_s64, int64_t, float, float, FP_BY_VALUE); break;
    case 2: FP_CALL_GEMM(fp_d32, int32_t, double, double, FP_BY_VALUE); break;
    case 3: FP_CALL_GEMM(fp_d64, int64_t, double, double, FP_BY_VALUE); break;
    case 4: case 6: FP_CALL_GEMM(fp_z32, int32_t, void, const void *, FP_BY_ADDRESS); break;
    default: FP_CALL_GEMM(fp_z64, int64_t, void, const void *, FP_BY_ADDRESS); break;
    }
}

/* y = alpha * a (rows x columns, transposed or not) @ x + beta * y; steps in elements. */
static void
fp_gemv(const fp_blas *blas, int k, fp_size rows, fp_size columns, const void *alpha, fp_factor a,
        const char *x, fp_size xstep, const void *beta, char *y, fp_size ystep)
{
    switch (2 * k + blas->wide) {
    case 0: FP_CALL_GEMV(fp_s32, int32_t, float, float, FP_BY_VALUE); break;
    case 1: FP_CALL_GEMV(fp_s64, int64_t, float, float, FP_BY_VALUE); break;
    case 2: FP_CALL_GEMV(fp_d32, int32_t, double, double, FP_BY_VALUE); break;
    case 3: FP_CALL_GEMV(fp_d64, int64_t, double, double, FP_BY_VALUE); break;
    case 4: case 6: FP_CALL_GEMV(fp_z32, int32_t, void, const void *, FP_BY_ADDRESS); break;
    default: FP_CALL_GEMV(fp_z64, int64_t, void, const void *, FP_BY_ADDRESS); break;
    }
}

#endif
