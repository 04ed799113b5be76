void zdot(int n, const void *x, const void *y, void *dot);
void cscale(int n, const void *alpha, void *x);
void zadd(int m, int n, const void *a, void *b);
