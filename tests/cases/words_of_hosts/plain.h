enum { key_bytes = 4 };
#define crypto_box_NONCEBYTES 3U

/* A parameter that complex.h would define as a number. */
static inline double local(int I, double until) { return I + until; }

static inline void fill(unsigned char *key, unsigned char *nonce)
{
    for (int i = 0; i < key_bytes; i++) key[i] = (unsigned char)i;
    for (unsigned i = 0; i < crypto_box_NONCEBYTES; i++) nonce[i] = 7;
}

static inline int total(const unsigned char *key, int from)
{
    int sum = from;
    for (int i = 0; i < key_bytes; i++) sum += key[i];
    return sum;
}
