/* Products of matrices by the runtime's own loops: integers, bool, small matrices, and everything
 * without BLAS.
 *
 * Computed row by row of the result, which is accumulated from rows of b: the innermost loop runs
 * over contiguous memory, and rows of b are still in cache when they are read again, because b is
 * divided into bands. */
#ifndef FP_PRODUCT
#define FP_PRODUCT

#include "base.h"

/* A matrix with any strides, in bytes; the loops need `b` and `out` with contiguous rows. */
typedef struct {
    char *data;
    fp_size row, column; /* strides */
} fp_matrix;

/* Alpha, beta and out are handled per type elsewhere. */
typedef void (*fp_product)(fp_size m, fp_size n, fp_size inner, const void *alpha, const fp_matrix *left,
                           const fp_matrix *right, const void *beta, int accumulates, const fp_matrix *target);

enum { FP_BAND = 128 }; /* rows of b that are used for all rows of out before the next ones */

#define FP_DEFINE_PRODUCT(NAME, T, TIMES, PLUS)                                                 \
    FP_CLONES static void NAME(fp_size m, fp_size n, fp_size inner, const void *alpha,          \
                               const fp_matrix *left, const fp_matrix *right, const void *beta, \
                               int accumulates, const fp_matrix *target)                        \
    {                                                                                           \
        const fp_matrix a = *left, b = *right, out = *target;                              \
        const T by = *(const T *)alpha, keep = *(const T *)beta;                                \
        fp_size i, j, k, band, end;                                                             \
        for (i = 0; i < m; i++) {                                                               \
            T *to = (T *)(void *)(out.data + i * out.row);                                      \
            for (j = 0; j < n; j++) {                                                           \
                to[j] = accumulates ? (T)(TIMES(keep, to[j])) : (T)0;                           \
            }                                                                                   \
        }                                                                                       \
        for (band = 0; band < inner; band = end) {                                              \
            end = inner - band < FP_BAND ? inner : band + FP_BAND;                              \
            for (i = 0; i < m; i++) {                                                           \
                T *restrict to = (T *)(void *)(out.data + i * out.row);                         \
                for (k = band; k < end; k++) {                                                  \
                    const T x = (T)(TIMES(by, *(const T *)(const void *)(a.data + i * a.row + k * a.column))); \
                    const T *restrict from = (const T *)(const void *)(b.data + k * b.row);     \
                    for (j = 0; j < n; j++) {                                                   \
                        to[j] = (T)(PLUS(to[j], TIMES(x, from[j])));                            \
                    }                                                                           \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
    }
#define FP_TIMES(x, y) ((x) * (y))
#define FP_PLUS(x, y) ((x) + (y))
#define FP_BOTH(x, y) ((x) & (y))
#define FP_EITHER(x, y) ((x) | (y))
/* Integers wrap, as NumPy's do: signed ones are computed as unsigned. */
FP_DEFINE_PRODUCT(fp_product_bool, uint8_t, FP_BOTH, FP_EITHER)
FP_DEFINE_PRODUCT(fp_product_8, uint8_t, FP_TIMES, FP_PLUS)
#define FP_TIMES_16(x, y) ((uint32_t)(x) * (uint32_t)(y)) /* uint16_t would become int, and overflow */
FP_DEFINE_PRODUCT(fp_product_16, uint16_t, FP_TIMES_16, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_32, uint32_t, FP_TIMES, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_64, uint64_t, FP_TIMES, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_float32, float, FP_TIMES, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_float64, double, FP_TIMES, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_complex64, float _Complex, FP_TIMES, FP_PLUS)
FP_DEFINE_PRODUCT(fp_product_complex128, double _Complex, FP_TIMES, FP_PLUS)

/* ---- Small ones ----------------------------------------------------------------------------------- */

enum { FP_TILE = 64, FP_TILE_ROWS = 64 }; /* bytes of a row that stay in registers; rows that are packed */

/* The remaining columns of b, followed by zeros. */
static void
fp_pack_tile(char *tile, fp_matrix b, fp_size inner, fp_size bytes)
{
    fp_size k;
    memset(tile, 0, (size_t)(inner * FP_TILE));
    for (k = 0; k < inner; k++) {
        memcpy(tile + k * FP_TILE, b.data + k * b.row, (size_t)bytes);
    }
}

/* Four rows of a tile of out stay in registers while the rows of b are processed. */
#define FP_DEFINE_SMALL_PRODUCT(NAME, T, LOOPS)                                                 \
    typedef T NAME##_lanes __attribute__((vector_size(FP_TILE), aligned(sizeof(T)), may_alias)); \
    FP_CLONES static void NAME(fp_size m, fp_size n, fp_size inner, const void *alpha,          \
                               const fp_matrix *left, const fp_matrix *right, const void *beta, \
                               int accumulates, const fp_matrix *target)                        \
    {                                                                                           \
        const fp_matrix a = *left;                                                              \
        fp_matrix b = *right, out = *target;                                                    \
        enum { ROWS = 4 };                                                                      \
        const T by = *(const T *)alpha, keep = *(const T *)beta;                                \
        fp_size i, k, rest;                                                                     \
        int row;                                                                                \
        char tile[FP_TILE_ROWS * FP_TILE];                                                      \
        for (rest = n * (fp_size)sizeof(T); rest > 0; rest -= FP_TILE) {                        \
            const size_t bytes = rest < FP_TILE ? (size_t)rest : FP_TILE;                       \
            if (bytes < FP_TILE) {                                                              \
                if (inner > FP_TILE_ROWS) {                                                     \
                    LOOPS(m, rest / (fp_size)sizeof(T), inner, alpha, &a, &b, beta, accumulates, &out); \
                    return;                                                                     \
                }                                                                               \
                fp_pack_tile(tile, b, inner, rest);                                             \
                b.data = tile;                                                                  \
                b.row = FP_TILE;                                                                \
            }                                                                                   \
            for (i = 0; i < m; i += ROWS) {                                                     \
                const char *x[ROWS];                                                            \
                NAME##_lanes sum[ROWS];                                                         \
                for (row = 0; row < ROWS; row++) { /* rows beyond the last one repeat the last */  \
                    sum[row] = (NAME##_lanes){0};                                               \
                    x[row] = a.data + (i + row < m ? i + row : m - 1) * a.row;                  \
                }                                                                               \
                for (k = 0; k < inner; k++) {                                                   \
                    const NAME##_lanes factor = *(const NAME##_lanes *)(const void *)(b.data + k * b.row); \
                    for (row = 0; row < ROWS; row++) {                                          \
                        sum[row] += *(const T *)(const void *)(x[row] + k * a.column) * factor; \
                    }                                                                           \
                }                                                                               \
                for (row = 0; row < ROWS && i + row < m; row++) {                               \
                    char *to = out.data + (i + row) * out.row;                                  \
                    NAME##_lanes before = {0}, result = by * sum[row];                          \
                    if (accumulates) {                                                          \
                        memcpy(&before, to, bytes);                                             \
                        result += keep * before;                                                \
                    }                                                                           \
                    if (bytes == FP_TILE) {                                                     \
                        memcpy(to, &result, FP_TILE);                                           \
                    }                                                                           \
                    else {                                                                      \
                        memcpy(to, &result, bytes);                                             \
                    }                                                                           \
                }                                                                               \
            }                                                                                   \
            b.data += FP_TILE;                                                                  \
            out.data += FP_TILE;                                                                \
        }                                                                                       \
    }
FP_DEFINE_SMALL_PRODUCT(fp_small_product_float32, float, fp_product_float32)
FP_DEFINE_SMALL_PRODUCT(fp_small_product_float64, double, fp_product_float64)

/* ---- By type -------------------------------------------------------------------------------------- */

/* By fp_type. */
static const fp_product fp_products[] = {
    fp_product_bool,    fp_product_8,       fp_product_16,      fp_product_32,        fp_product_64,
    fp_product_8,       fp_product_16,      fp_product_32,      fp_product_64,        fp_product_float32,
    fp_product_float64, fp_product_complex64, fp_product_complex128,
};

/* The product function of a type: a small one in registers. */
static fp_product
fp_choose_product(int type, int small)
{
    if (small && (type == FP_FLOAT64 || type == FP_FLOAT32)) {
        return type == FP_FLOAT64 ? fp_small_product_float64 : fp_small_product_float32;
    }
    return fp_products[type];
}

#endif
