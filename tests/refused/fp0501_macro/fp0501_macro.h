#define square(x) ((x) * (x))

static inline double plain(double x)
{
    return x + 1;
}
