/* The sum of (i + 1) (10 j + 1) a[i, j]: tells any change of order. */
double weigh(long m, long n, const double *a);
double weigh_twice(long m, long n, const double *a, double *scratch);
/* a[i, j] = 10 i + j */
void count(long m, long n, double *a);
/* a[i, j] += 10 i + j */
void number(long m, long n, double *a);
