int plus(int a, int b, int c, int d);
int plus_none(void);
