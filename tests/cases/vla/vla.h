double trace(int n, const double a[n][n]);
void transpose(int m, int n, const double a[m][n], double b[n][m]);
double det3(const double a[3][3]);
void cube(int n, float c[n][2][2]);
double sum(int n, const double x[static restrict n]);
