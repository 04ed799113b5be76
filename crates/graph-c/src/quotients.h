/* Quotients of many numbers by one divisor as products, with the bits of divisions: the flags of the processor.
 *
 * With r = 1 / b and q = a * r, all rounded to nearest, q - (q * b - a) * r in fused multiply-adds is a / b rounded
 * to nearest, unless a step overflows or underflows (Brisebarre, Muller and Raina, "Accelerating correctly rounded
 * floating-point division when the divisor is known in advance", IEEE Transactions on Computers 53, 2004). Whether one
 * did, or whether an element was infinite, the processor records in its flags: then the loop divides after all. */

#if defined(__x86_64__) && defined(__FMA__) && defined(__GNUC__)
#define FP_HAS_QUOTIENTS 1
/* An invalid operation, a denormal operand, a division by 0, an overflow, an underflow. */
#define FP_LOST 0x1fu
#define FP_GET_FLAGS(flags) ((flags) = __builtin_ia32_stmxcsr())
#define FP_SET_FLAGS(flags) __builtin_ia32_ldmxcsr(flags)
/* No event calls a signal handler, and results are rounded to nearest. */
#define FP_IS_USUAL(flags) (((flags) & 0x7f80u) == 0x1f80u)
#elif defined(__aarch64__) && defined(__GNUC__)
#define FP_HAS_QUOTIENTS 1
#define FP_LOST 0xfu
#define FP_READ(name, flags)                              \
    do {                                                  \
        fp_uint64 all;                                    \
        __asm__ volatile("mrs %0, " name : "=r"(all));    \
        (flags) = (unsigned)all;                          \
    } while (0)
#define FP_GET_FLAGS(flags) FP_READ("fpsr", flags)
#define FP_SET_FLAGS(flags) __asm__ volatile("msr fpsr, %0" : : "r"((fp_uint64)(flags)))
#define FP_IS_USUAL(flags) ((void)(flags), fp_is_usual())
static inline int
fp_is_usual(void)
{
    unsigned control;
    FP_READ("fpcr", control);
    return (control & 0xc09f00u) == 0;
}
#else
#define FP_HAS_QUOTIENTS 0
#endif

/* The fewest elements for which reading the flags pays. */
#define FP_FEWEST_QUOTIENTS 64

#if FP_HAS_QUOTIENTS
/* Separates the operations before it from those after it: each ends with a store, or begins with a load. */
#define FP_FENCE() __asm__ volatile("" : : : "memory")

/* True if the flags record events: not in every emulator, such as that of Valgrind. */
static int
fp_has_flags(void)
{
    static int has = -1;
    int known = __atomic_load_n(&has, __ATOMIC_RELAXED);
    if (known < 0) {
        volatile double large = 0x1p1000;
        unsigned before, after;
        FP_GET_FLAGS(before);
        FP_SET_FLAGS(before & ~FP_LOST);
        large = large * large;
        FP_FENCE();
        FP_GET_FLAGS(after);
        FP_SET_FLAGS(before);
        known = (after & FP_LOST) != 0;
        __atomic_store_n(&has, known, __ATOMIC_RELAXED);
    }
    return known;
}
#endif

/* Clears the flags, and saves them; returns 0 if the loop must divide. No output may be an input too, whose elements
 * would be lost if it divides after all. */
static inline int
fp_begin_quotients(unsigned *flags, char *const *p, int outputs, int count, fp_size n)
{
#if FP_HAS_QUOTIENTS
    int to, from;
    if (n < FP_FEWEST_QUOTIENTS) {
        return 0;
    }
    FP_GET_FLAGS(*flags);
    if (!FP_IS_USUAL(*flags) || !fp_has_flags()) {
        return 0;
    }
    for (to = 0; to < outputs; to++) {
        for (from = outputs; from < count; from++) {
            if (p[to] == p[from]) {
                return 0;
            }
        }
    }
    if (*flags & FP_LOST) {
        FP_SET_FLAGS(*flags & ~FP_LOST);
    }
    FP_FENCE();
    return 1;
#else
    (void)flags, (void)p, (void)outputs, (void)count, (void)n;
    return 0;
#endif
}

/* True if all quotients were exact; the flags are those before, and what the loop added. */
static inline int
fp_end_quotients(unsigned before)
{
#if FP_HAS_QUOTIENTS
    unsigned after;
    FP_FENCE();
    FP_GET_FLAGS(after);
    if (after & FP_LOST) {
        FP_SET_FLAGS(before);
        return 0;
    }
    if (before & FP_LOST) {
        FP_SET_FLAGS(before | after);
    }
    return 1;
#else
    (void)before;
    return 1;
#endif
}
