/* The key of a retained callback: the strings, with their NULs, and integers that identify it among the callbacks of
 * one parameter, as consecutive bytes. A later callback with the same key replaces it. */

/* One component of a key. */
typedef struct {
    const void *value;
    size_t size;
} fp_key_part;

static inline size_t
fp_key_size(const fp_key_part *key, int count)
{
    size_t size = 0;
    int k;
    for (k = 0; k < count; k++) {
        size += key[k].size;
    }
    return size;
}

static FP_UNUSED void
fp_copy_key(char *to, const fp_key_part *key, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        memcpy(to, key[k].value, key[k].size);
        to += key[k].size;
    }
}

/* Returns whether the `size` bytes at `at` equal the key. */
static FP_UNUSED int
fp_has_key(const char *at, size_t size, const fp_key_part *key, int count)
{
    int k, same = size == fp_key_size(key, count);
    for (k = 0; same && k < count; k++) {
        same = memcmp(at, key[k].value, key[k].size) == 0;
        at += key[k].size;
    }
    return same;
}
