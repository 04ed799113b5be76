/* Kinds of overloads, and layouts of calls: the overload for a layout, the same in every host. */

enum { FP_KIND_C = 1, FP_KIND_FORTRAN = 2, FP_KIND_STRIDED = 4 };

/* How well kinds suit a layout; 0: not at all. All C-contiguous: C; all F-contiguous: Fortran; else
 * the general kind, which is also used if the specific one is not implemented. For vectors alone,
 * which are both, C takes precedence. */
static inline int
fp_suits(int kinds, int layout)
{
    if (layout & FP_KIND_C & kinds) {
        return 3;
    }
    if (layout & FP_KIND_FORTRAN & kinds) {
        return layout & FP_KIND_C ? 2 : 3;
    }
    return kinds & FP_KIND_STRIDED ? (layout ? 1 : 3) : 0;
}
