void scale(long n, double k, const double *x, int times, double *y);
double scalars(int i, unsigned char u, float f, double d, double _Complex z, _Bool b);
void nothing(void);
void one(double x);
