/* 1 if the calling thread holds the GIL. */
int is_held(long n, const double *x);
int is_held_now(void);
int is_held_for(long n, const double *x, int times);
