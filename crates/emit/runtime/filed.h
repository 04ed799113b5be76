/* What kept callbacks of one parameter are told apart by: texts with their NULs, and integers, as bytes one behind
 * the other. */

typedef struct {
    const void *value;
    size_t size;
} fp_filed;

static inline size_t
fp_filed_size(const fp_filed *filed, int count)
{
    size_t size = 0;
    int k;
    for (k = 0; k < count; k++) {
        size += filed[k].size;
    }
    return size;
}

static FP_UNUSED void
fp_file(char *to, const fp_filed *filed, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        memcpy(to, filed[k].value, filed[k].size);
        to += filed[k].size;
    }
}

/* Whether the bytes at `at` are these. */
static FP_UNUSED int
fp_is_filed(const char *at, size_t size, const fp_filed *filed, int count)
{
    int k, same = size == fp_filed_size(filed, count);
    for (k = 0; same && k < count; k++) {
        same = memcmp(at, filed[k].value, filed[k].size) == 0;
        at += filed[k].size;
    }
    return same;
}
