typedef struct _MKL_Complex16 {
    double real;
    double imag;
} MKL_Complex16;
typedef struct { float x, y; } cuFloatComplex;
typedef struct { double x, y; } point;
typedef struct { double r, i; } doublecomplex;
struct zz { double re, im; };
/** Sum of z. */
MKL_Complex16 zsum(int n, const MKL_Complex16 *z);
void cscale(int n, cuFloatComplex *z, cuFloatComplex by);
int where(int n, const point *p, doublecomplex z);
struct zz conj_zz(struct zz z);
void zcopy(int n, const struct zz *x, int incx, struct zz *y, int incy);
doublecomplex *dc_new(int n);
void dc_conj(const doublecomplex *x, doublecomplex *y);
