/* With -DVECTOR_MATH the compiler may call libmvec's exp for several items at once, which is right
   to 4 ulp; without, each item takes libm's. */
#include "loops.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef VECTOR_MATH
#pragma omp declare simd notinbranch
extern double exp(double);
#pragma omp declare simd notinbranch
extern float expf(float);
#endif

/* The content of a vector register, at any alignment in memory. */
#define LANES 8
typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef long long Mask __attribute__((vector_size(8 * LANES)));

static inline Lanes load(const double *x)
{
    Lanes lanes;
    memcpy(&lanes, x, sizeof lanes);
    return lanes;
}

static inline void store(double *x, Lanes lanes)
{
    memcpy(x, &lanes, sizeof lanes);
}

static inline double total(Lanes lanes)
{
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

static inline Lanes absolute(Lanes a)
{
    return (Lanes)((Mask)a & INT64_MAX);
}

static inline double larger(double a, double b)
{
    return b > a || b != b ? b : a; /* NaN wins */
}

/* For maxima, numbers are compared first, and a separate check finds NaNs: processors
   have instructions for both, but none for a maximum that NaN wins. `larger_numbers` keeps a NaN of
   `a` and passes over one of `b`. */
#ifdef __AVX512F__
#include <immintrin.h>
typedef __mmask8 Found;

static inline Lanes larger_numbers(Lanes a, Lanes b)
{
    return (Lanes)_mm512_max_pd((__m512d)b, (__m512d)a);
}

static inline Found has_nan(Lanes a, Lanes b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_UNORD_Q);
}

static inline Lanes with_nan(Lanes a, Found found)
{
    return (Lanes)_mm512_mask_mov_pd((__m512d)a, found, _mm512_set1_pd(NAN));
}
#define ANY(FOUND) ((FOUND) != 0)
#else
typedef Mask Found;

static inline Lanes larger_numbers(Lanes a, Lanes b)
{
    Mask take = (Mask)(b > a);
    return (Lanes)((take & (Mask)b) | (~take & (Mask)a));
}

static inline Found has_nan(Lanes a, Lanes b)
{
    return (Mask)(a != a) | (Mask)(b != b);
}

static inline Lanes with_nan(Lanes a, Found found)
{
    return (Lanes)((Mask)a | found); /* all bits set: a NaN */
}

static inline int any(Found found)
{
    long long bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= found[i];
    return bits != 0;
}
#define ANY(FOUND) any(FOUND)
#endif

void blend(ptrdiff_t n, const double *restrict x, const double *restrict y,
           const double *restrict z, double *restrict out)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = 2 * x[i] * y[i] + exp(-(z[i] * z[i]));
}

void blend_float(ptrdiff_t n, const float *restrict x, const float *restrict y,
                 const float *restrict z, float *restrict out)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = 2 * x[i] * y[i] + expf(-(z[i] * z[i]));
}

void blend_strided(ptrdiff_t n, const double *restrict x, ptrdiff_t sx, const double *restrict y,
                   ptrdiff_t sy, const double *restrict z, ptrdiff_t sz, double *restrict out)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++) {
        double own = z[i * sz];
        out[i] = 2 * x[i * sx] * y[i * sy] + exp(-(own * own));
    }
}

void blend_same(ptrdiff_t n, const double *restrict x, double y, const double *restrict z,
                double *restrict out)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = 2 * x[i] * y + exp(-(z[i] * z[i]));
}

/* The I-th four operations of a chain, of numbers and of lanes. */
#define FOUR(ABS, I, V, X, Y) V = ABS((V + Y) * X - (I) / 8.0)
#define FOUR_TIMES(I)                                                                              \
    FOUR(absolute, I, a, xa, ya), FOUR(absolute, I, b, xb, yb), FOUR(absolute, I, c, xc, yc),      \
        FOUR(absolute, I, d, xd, yd)

void chain(ptrdiff_t n, const double *restrict x, const double *restrict y, double *restrict out)
{
    ptrdiff_t i = 0;
    /* Each operation waits for the one before; that of other items may run in the meantime. */
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        Lanes xa = load(x + i), xb = load(x + i + LANES);
        Lanes xc = load(x + i + 2 * LANES), xd = load(x + i + 3 * LANES);
        Lanes ya = load(y + i), yb = load(y + i + LANES);
        Lanes yc = load(y + i + 2 * LANES), yd = load(y + i + 3 * LANES);
        Lanes a = xa, b = xb, c = xc, d = xd;
        FOUR_TIMES(1);
        FOUR_TIMES(2);
        FOUR_TIMES(3);
        FOUR_TIMES(4);
        FOUR_TIMES(5);
        store(out + i, a);
        store(out + i + LANES, b);
        store(out + i + 2 * LANES, c);
        store(out + i + 3 * LANES, d);
    }
    for (; i < n; i++) {
        double v = x[i];
        FOUR(fabs, 1, v, x[i], y[i]);
        FOUR(fabs, 2, v, x[i], y[i]);
        FOUR(fabs, 3, v, x[i], y[i]);
        FOUR(fabs, 4, v, x[i], y[i]);
        FOUR(fabs, 5, v, x[i], y[i]);
        out[i] = v;
    }
}

void root(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = sqrt(x[i]);
}

void cube(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = x[i] * x[i] * x[i];
}

void inverse(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = 1 / x[i];
}

double sum_squares(ptrdiff_t n, const double *x, const double *y)
{
    Lanes a = {0}, b = {0}, c = {0}, d = {0}, t;
    ptrdiff_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        t = load(x + i) - load(y + i), a += t * t;
        t = load(x + i + LANES) - load(y + i + LANES), b += t * t;
        t = load(x + i + 2 * LANES) - load(y + i + 2 * LANES), c += t * t;
        t = load(x + i + 3 * LANES) - load(y + i + 3 * LANES), d += t * t;
    }
    double rest = 0;
    for (; i < n; i++)
        rest += (x[i] - y[i]) * (x[i] - y[i]);
    return total((a + b) + (c + d)) + rest;
}

double sum(ptrdiff_t n, const double *x)
{
    Lanes a = {0}, b = {0}, c = {0}, d = {0};
    ptrdiff_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        a += load(x + i);
        b += load(x + i + LANES);
        c += load(x + i + 2 * LANES);
        d += load(x + i + 3 * LANES);
    }
    double rest = 0;
    for (; i < n; i++)
        rest += x[i];
    return total((a + b) + (c + d)) + rest;
}

double largest(ptrdiff_t n, const double *x)
{
    double all = -INFINITY;
    ptrdiff_t i = 0;
    if (n >= 4 * LANES) {
        Lanes a = -INFINITY - (Lanes){0}, b = a, p, q, r, s;
        Found nan = has_nan(a, a);
        for (; i + 4 * LANES <= n; i += 4 * LANES) {
            p = load(x + i), q = load(x + i + LANES);
            r = load(x + i + 2 * LANES), s = load(x + i + 3 * LANES);
            nan |= has_nan(p, q) | has_nan(r, s);
            a = larger_numbers(a, larger_numbers(p, q));
            b = larger_numbers(b, larger_numbers(r, s));
        }
        if (ANY(nan))
            return NAN;
        a = larger_numbers(a, b);
        for (int j = 0; j < LANES; j++)
            all = larger(all, a[j]);
    }
    for (; i < n; i++)
        all = larger(all, x[i]);
    return all;
}

/* The value first, then its place: some items at once, then the item. */
ptrdiff_t first_largest(ptrdiff_t n, const double *x)
{
    double top = largest(n, x);
    ptrdiff_t i = 0;
    for (; top == top && i + 4 * LANES <= n; i += 4 * LANES) {
        long long found = 0;
        for (int j = 0; j < 4 * LANES; j++)
            found |= x[i + j] == top ? -1 : 0;
        if (found)
            break;
    }
    while (x[i] != top && x[i] == x[i])
        i++;
    return i;
}

void sum_outer(ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, const double *restrict x,
               double *restrict out)
{
    memset(out, 0, (size_t)b * sizeof *out);
    for (ptrdiff_t i = 0; i < a; i++)
        for (ptrdiff_t j = 0; j < b; j++)
            out[j] += sum(c, x + (i * b + j) * c);
}

/* Down the columns four rows are read at once, so that `out` is gone through less often. */
void mean_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *restrict x,
               double *restrict out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    ptrdiff_t row = 0;
    for (; row + 4 <= rows; row += 4, x += 4 * stride)
        for (ptrdiff_t j = 0; j < n; j++)
            out[j] += (x[j] + x[stride + j]) + (x[2 * stride + j] + x[3 * stride + j]);
    for (; row < rows; row++, x += stride)
        for (ptrdiff_t j = 0; j < n; j++)
            out[j] += x[j];
    for (ptrdiff_t j = 0; j < n; j++)
        out[j] /= (double)rows;
}

void largest_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *restrict x,
                  double *restrict out)
{
    for (ptrdiff_t j = 0; j < n; j++)
        out[j] = -INFINITY;
    ptrdiff_t row = 0;
    for (; row + 4 <= rows; row += 4, x += 4 * stride) {
        ptrdiff_t j = 0;
        for (; j + LANES <= n; j += LANES) {
            Lanes p = load(x + j), q = load(x + stride + j);
            Lanes r = load(x + 2 * stride + j), t = load(x + 3 * stride + j);
            Lanes four = larger_numbers(larger_numbers(p, q), larger_numbers(r, t));
            Lanes all = larger_numbers(load(out + j), four);
            store(out + j, with_nan(all, has_nan(p, q) | has_nan(r, t)));
        }
        for (; j < n; j++)
            for (int k = 0; k < 4; k++)
                out[j] = larger(out[j], x[k * stride + j]);
    }
    for (; row < rows; row++, x += stride)
        for (ptrdiff_t j = 0; j < n; j++)
            out[j] = larger(out[j], x[j]);
}

/* One row in three passes, while it is in the cache. */
void softmax(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    double top = largest(n, x), all = 0;
#pragma omp simd reduction(+ : all)
    for (ptrdiff_t i = 0; i < n; i++) {
        double e = exp(x[i] - top);
        out[i] = e;
        all += e;
    }
    double share = 1 / all;
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] *= share;
}

void layer_norm(ptrdiff_t n, const double *restrict x, const double *restrict gain,
                const double *restrict bias, double *restrict out)
{
    double mean = sum(n, x) / (double)n, variance = 0;
#pragma omp simd reduction(+ : variance)
    for (ptrdiff_t i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean);
    double share = 1 / sqrt(variance / (double)n + 1e-5);
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = (x[i] - mean) * share * gain[i] + bias[i];
}

/* Some items at once stay in registers, while the taps pass. */
void filtered(ptrdiff_t n, ptrdiff_t taps_count, const double *restrict x,
              const double *restrict taps, double *restrict out)
{
    ptrdiff_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        Lanes a = {0}, b = {0}, c = {0}, d = {0};
        for (ptrdiff_t j = 0; j < taps_count; j++) {
            const double *from = x + i + j;
            a += taps[j] * load(from), b += taps[j] * load(from + LANES);
            c += taps[j] * load(from + 2 * LANES), d += taps[j] * load(from + 3 * LANES);
        }
        store(out + i, a), store(out + i + LANES, b);
        store(out + i + 2 * LANES, c), store(out + i + 3 * LANES, d);
    }
    for (; i < n; i++) {
        double sum = 0;
        for (ptrdiff_t j = 0; j < taps_count; j++)
            sum += taps[j] * x[i + j];
        out[i] = sum;
    }
}

void gather(ptrdiff_t n, const double *restrict x, const long long *restrict places,
            double *restrict out)
{
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = x[places[i]] * 2;
}

void scatter(ptrdiff_t length, ptrdiff_t n, const double *restrict x,
             const long long *restrict places, const double *restrict y, double *restrict out)
{
    for (ptrdiff_t i = 0; i < length; i++)
        out[i] = x[i];
    for (ptrdiff_t i = 0; i < n; i++)
        out[places[i]] += y[i];
}

void running(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = sum += x[i];
}

void running_rows(ptrdiff_t n, const double *restrict x, double *restrict out)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = a += x[i], out[n + i] = b += x[n + i];
        out[2 * n + i] = c += x[2 * n + i], out[3 * n + i] = d += x[3 * n + i];
    }
}

void running_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *restrict x,
                  double *restrict out)
{
    for (ptrdiff_t j = 0; j < n; j++)
        out[j] = x[j];
    for (ptrdiff_t i = 1; i < rows; i++)
        for (ptrdiff_t j = 0; j < n; j++)
            out[i * stride + j] = out[(i - 1) * stride + j] + x[i * stride + j];
}

double loss(ptrdiff_t m, ptrdiff_t n, const double *restrict x, const double *restrict y,
            const double *restrict weights, double *restrict gradient)
{
    double all = 0;
    for (ptrdiff_t i = 0; i < m; i++, x += n) {
        double error = -y[i];
#pragma omp simd reduction(+ : error)
        for (ptrdiff_t j = 0; j < n; j++)
            error += x[j] * weights[j];
        for (ptrdiff_t j = 0; j < n; j++)
            gradient[j] += error * x[j];
        all += error * error;
    }
    return all / (double)m;
}

void product(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, const double *restrict x,
             const double *restrict w, double *restrict out)
{
    for (ptrdiff_t i = 0; i < m; i++)
        for (ptrdiff_t j = 0; j < n;) {
            if (j + 4 * LANES <= n) {
                Lanes a = {0}, b = {0}, c = {0}, d = {0};
                for (ptrdiff_t l = 0; l < k; l++) {
                    const double *from = w + l * n + j;
                    a += x[i * k + l] * load(from), b += x[i * k + l] * load(from + LANES);
                    c += x[i * k + l] * load(from + 2 * LANES);
                    d += x[i * k + l] * load(from + 3 * LANES);
                }
                double *to = out + i * n + j;
                store(to, a), store(to + LANES, b);
                store(to + 2 * LANES, c), store(to + 3 * LANES, d);
                j += 4 * LANES;
            } else {
                double sum = 0;
                for (ptrdiff_t l = 0; l < k; l++)
                    sum += x[i * k + l] * w[l * n + j];
                out[i * n + j++] = sum;
            }
        }
}

#ifdef __AVX__
#include <immintrin.h>
static inline void store_past(double *x, Lanes lanes)
{
    for (int i = 0; i < LANES; i += 4)
        _mm256_stream_pd(x + i, (__m256d){lanes[i], lanes[i + 1], lanes[i + 2], lanes[i + 3]});
}
#else
#define store_past store
#endif

void stream(ptrdiff_t n, int inputs, ptrdiff_t stride, const double *restrict x,
            double *restrict out, int past)
{
    for (ptrdiff_t i = 0; i + LANES <= n; i += LANES) {
        Lanes sum = load(x + i);
        for (int j = 1; j < inputs; j++)
            sum += load(x + j * stride + i);
        past ? store_past(out + i, sum) : store(out + i, sum);
    }
}

/* Eight columns at a time stay in a register. */
void relu_small(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, const double *restrict x,
                const double *restrict w, const double *restrict b, double *restrict out)
{
    const Lanes zero = {0};
    ptrdiff_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (ptrdiff_t i = 0; i < m; i++) {
            Lanes sum = load(b + j);
            for (ptrdiff_t l = 0; l < k; l++)
                sum += x[i * k + l] * load(w + l * n + j);
            store(out + i * n + j, with_nan(larger_numbers(zero, sum), has_nan(sum, sum)));
        }
    for (; j < n; j++)
        for (ptrdiff_t i = 0; i < m; i++) {
            double sum = b[j];
            for (ptrdiff_t l = 0; l < k; l++)
                sum += x[i * k + l] * w[l * n + j];
            out[i * n + j] = larger(0, sum);
        }
}

void relu_after(ptrdiff_t m, ptrdiff_t n, const double *restrict b, double *restrict out)
{
    for (ptrdiff_t i = 0; i < m; i++, out += n)
        for (ptrdiff_t j = 0; j < n; j++)
            out[j] = larger(0, out[j] + b[j]);
}
