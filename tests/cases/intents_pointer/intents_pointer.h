int twice(const int *x);
void count(int *x);
void bump(int *x);
int bump_both(int x, int *scratch);
