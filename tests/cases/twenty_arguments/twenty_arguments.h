double weigh(double a, double b, double c, double d, double e, double f, double g, int h, int i,
             int j, int k, int l, int m, long n, const double *x, const float *y, double *z,
             double *w, double scale, const double *shift);
int eighteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
             int m, int n, int o, int p, int q, int r);
int nineteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
             int m, int n, int o, int p, int q, int r, double s);
