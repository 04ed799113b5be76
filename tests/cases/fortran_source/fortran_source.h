void matvec_(const int *m, const int *n, const double *a, const double *x, double *y);
void scale_columns_(const int *m, const int *n, double *a, const double *s);
double norm_squared(int n, const double *x);
int running_sum(int n, double *x);
void tabulate_(double (*f)(const int *k), const int *n, double *y);
