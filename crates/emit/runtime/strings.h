/* Strings of C, which end with a NUL. */

/* The message about a string that is copied: its bytes, and those of the memory for it. */
#define FP_STRING_TOO_LONG "the string has %lld bytes, and its memory %lld with the NUL"

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
