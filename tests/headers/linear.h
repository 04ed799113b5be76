/* The conventions of BLAS and LAPACK. */
typedef int lapack_int;
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
#define LAPACK_ROW_MAJOR 101

double cblas_ddot(const int n, const double *x, const int incx, const double *y, const int incy);
void cblas_zdotc_sub(int n, const void *x, int incx, const void *y, int incy, void *ret);
void cblas_dgemm(enum CBLAS_ORDER Order, enum CBLAS_TRANSPOSE TransA, enum CBLAS_TRANSPOSE TransB,
                 int M, int N, int K, double alpha, const double *A, int lda, const double *B,
                 int ldb, double beta, double *C, int ldc);
void cblas_dsymv(enum CBLAS_ORDER order, CBLAS_UPLO Uplo, int N, double alpha, const double *A,
                 int lda, const double *X, int incX, double beta, double *Y, int incY);
lapack_int LAPACKE_dgesv(int matrix_layout, lapack_int n, lapack_int nrhs, double *a, lapack_int lda,
                         lapack_int *ipiv, double *b, lapack_int ldb);
lapack_int LAPACKE_dsyev(int matrix_layout, char jobz, char uplo, lapack_int n, double *a,
                         lapack_int lda, double *w);

void cblas_dgbmv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans, int m, int n, int kl, int ku,
                 double alpha, const double *a, int lda, const double *x, int incx, double beta,
                 double *y, int incy);
lapack_int LAPACKE_dsyev_work(int matrix_layout, char jobz, char uplo, lapack_int n, double *a,
                              lapack_int lda, double *w, double *work, lapack_int lwork);
lapack_int LAPACKE_dgesvd(int matrix_layout, char jobu, char jobvt, lapack_int m, lapack_int n,
                          double *a, lapack_int lda, double *s, double *u, lapack_int ldu,
                          double *vt, lapack_int ldvt, double *superb);
