/* Rules for the values of arrays of integers, which C uses as positions in other arrays.
 *
 * Each search returns the index of the first element that breaks the rule, or the number of elements. Loops over a
 * whole block have no branch, so that compilers vectorise them. */

enum { FP_RULE_BLOCK = 1024 };

#define FP_DEFINE_RULES(type, wide)                                                                \
    static inline ptrdiff_t fp_outside_##type(const type *x, ptrdiff_t count, wide first, wide last) \
    {                                                                                              \
        ptrdiff_t i = 0, end;                                                                      \
        while (i < count) {                                                                        \
            const type *block = x + i;                                                             \
            int is_outside = 0;                                                                    \
            ptrdiff_t k;                                                                           \
            end = count - i < FP_RULE_BLOCK ? count - i : (ptrdiff_t)FP_RULE_BLOCK;                \
            for (k = 0; k < end; k++) {                                                            \
                is_outside |= (wide)block[k] < first || (wide)block[k] > last;                     \
            }                                                                                      \
            if (is_outside) {                                                                      \
                for (k = 0; (wide)block[k] >= first && (wide)block[k] <= last; k++) {              \
                }                                                                                  \
                return i + k;                                                                      \
            }                                                                                      \
            i += end;                                                                              \
        }                                                                                          \
        return count;                                                                              \
    }                                                                                              \
    static inline ptrdiff_t fp_decrease_##type(const type *x, ptrdiff_t count)                     \
    {                                                                                              \
        ptrdiff_t i;                                                                               \
        for (i = 1; i < count; i++) {                                                              \
            if (x[i] < x[i - 1]) {                                                                 \
                return i;                                                                          \
            }                                                                                      \
        }                                                                                          \
        return count;                                                                              \
    }

FP_DEFINE_RULES(int8_t, long long)
FP_DEFINE_RULES(uint8_t, unsigned long long)
FP_DEFINE_RULES(int16_t, long long)
FP_DEFINE_RULES(uint16_t, unsigned long long)
FP_DEFINE_RULES(int32_t, long long)
FP_DEFINE_RULES(uint32_t, unsigned long long)
FP_DEFINE_RULES(int64_t, long long)
FP_DEFINE_RULES(uint64_t, unsigned long long)

/* Searches for a value that is not in first ... last; `type` is FP_INTEGER of the elements. */
static FP_HELPER ptrdiff_t
fp_first_outside(const void *x, ptrdiff_t count, int type, ptrdiff_t first, ptrdiff_t last)
{
    unsigned long long least = first < 0 ? 0 : (unsigned long long)first;
    if (last < first || (type > 0 && last < 0)) {
        return 0;
    }
    switch (type) {
    case -1: return fp_outside_int8_t((const int8_t *)x, count, first, last);
    case 1: return fp_outside_uint8_t((const uint8_t *)x, count, least, (unsigned long long)last);
    case -2: return fp_outside_int16_t((const int16_t *)x, count, first, last);
    case 2: return fp_outside_uint16_t((const uint16_t *)x, count, least, (unsigned long long)last);
    case -4: return fp_outside_int32_t((const int32_t *)x, count, first, last);
    case 4: return fp_outside_uint32_t((const uint32_t *)x, count, least, (unsigned long long)last);
    case -8: return fp_outside_int64_t((const int64_t *)x, count, first, last);
    default: return fp_outside_uint64_t((const uint64_t *)x, count, least, (unsigned long long)last);
    }
}

/* Searches for a value that is less than the one before it. */
static FP_HELPER ptrdiff_t
fp_first_decrease(const void *x, ptrdiff_t count, int type)
{
    switch (type) {
    case -1: return fp_decrease_int8_t((const int8_t *)x, count);
    case 1: return fp_decrease_uint8_t((const uint8_t *)x, count);
    case -2: return fp_decrease_int16_t((const int16_t *)x, count);
    case 2: return fp_decrease_uint16_t((const uint16_t *)x, count);
    case -4: return fp_decrease_int32_t((const int32_t *)x, count);
    case 4: return fp_decrease_uint32_t((const uint32_t *)x, count);
    case -8: return fp_decrease_int64_t((const int64_t *)x, count);
    default: return fp_decrease_uint64_t((const uint64_t *)x, count);
    }
}
