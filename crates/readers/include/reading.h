/* Included before a header in place of fishplate.h: annotations become what the front end looks
 * for. */
#define FISHPLATE_H

#define FP_IN __fishplate__(in)
#define FP_INPLACE __fishplate__(inplace)
#define FP_INOUT __fishplate__(inout)
#define FP_OUT __fishplate__(out)
#define FP_HIDDEN __fishplate__(hidden)

#define FP_NULLABLE __fishplate__(nullable)
#define FP_FORTRAN __fishplate__(fortran)
#define FP_BYTES __fishplate__(bytes)
#define FP_TEXT __fishplate__(text)
#define FP_OWN(function) __fishplate__(own, #function)
#define FP_BORROW(...) __fishplate__(borrow, #__VA_ARGS__)
#define FP_OFFSETS(...) __fishplate__(offsets, #__VA_ARGS__)
#define FP_INDEX(...) __fishplate__(index, #__VA_ARGS__)

#define FP_SHAPE(...) __fishplate__(shape, #__VA_ARGS__)
#define FP_DEFAULT(...) __fishplate__(default, #__VA_ARGS__)

#define FP_STATUS __fishplate__(status)
#define FP_MACRO __fishplate__(macro)
#define FP_SKIP __fishplate__(skip)
#define FP_NAME(host) __fishplate__(name, #host)
#define FP_RETURNS(...) __fishplate__(returns, #__VA_ARGS__)
#define FP_GIL(how) __fishplate__(gil, #how)

#define FP_MODULE(...) __fishplate__(module, #__VA_ARGS__)
