#include "vla.h"

double trace(int n, const double a[n][n])
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i][i];
    }
    return sum;
}

void transpose(int m, int n, const double a[m][n], double b[n][m])
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            b[j][i] = a[i][j];
        }
    }
}

double det3(const double a[3][3])
{
    double det = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        det += a[0][i] * (a[1][j] * a[2][k] - a[1][k] * a[2][j]);
    }
    return det;
}

void cube(int n, float c[n][2][2])
{
    for (int i = 0; i < n; i++) {
        c[i][1][0] += 10 * (float)i;
    }
}

double sum(int n, const double x[static restrict n])
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += x[i];
    }
    return total;
}
