int divide(int a, int b, int *remainder);
void divide_into(int a, int b, int *quotient, int *remainder);
/* Each x[i] goes to even[i] or odd[i]; the other is base. The number of odd ones. */
int split(long n, const int *x, int *even, int *odd, int *base);
