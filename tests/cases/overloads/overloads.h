enum { INT = 1, FLOAT, DOUBLE, COMPLEX, FLOATS, DOUBLES, MATRIX };

int kind_int(int x);
int kind_float(float x);
int kind_double(double x);
int kind_complex(double _Complex x);
int kind_floats(long n, const float *x);
int kind_doubles(long n, const double *x);
int kind_matrix(long m, long n, const double *x);
int kind_floats_out(long n, float *x);
int kind_doubles_out(long n, double *x);
