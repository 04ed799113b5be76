/* Strings of C, which end with a NUL. */

/* There is a NUL among these characters. A few are searched without a call. */
static inline int
fp_has_nul(const char *text, size_t length)
{
    size_t k;
    if (length > 16) {
        return memchr(text, 0, length) != NULL;
    }
    for (k = 0; k < length && text[k] != 0; k++) {
    }
    return k < length;
}
