/* Macros name internal functions, typedefs hide pointers, and an object is an array of one struct. */
#include <stddef.h>

typedef struct {
    int allocated, size;
    unsigned long *limbs;
} __int_struct;
typedef __int_struct int_t[1];
typedef __int_struct *int_ptr;
typedef const __int_struct *int_srcptr;
typedef struct {
    __int_struct numerator, denominator;
} __frac_struct;
typedef __frac_struct frac_t[1];
typedef __frac_struct *frac_ptr;
typedef const __frac_struct *frac_srcptr;

#define int_init __gint_init
void int_init(int_ptr);
#define int_clear __gint_clear
void int_clear(int_ptr);
#define int_add __gint_add
void int_add(int_ptr, int_srcptr, int_srcptr);
#define int_2fac __gint_2fac
void int_2fac(int_ptr, unsigned long);
#define int_sign __gint_sign
int int_sign(int_srcptr);
/* A view of other memory: it creates no object. */
#define int_view __gint_view
int_srcptr int_view(int_ptr, const unsigned long *, long);
int __gint_internal(int_srcptr);

#define frac_init __gfrac_init
void frac_init(frac_ptr);
#define frac_clear __gfrac_clear
void frac_clear(frac_ptr);
#define frac_get_numerator __gfrac_get_numerator
void frac_get_numerator(int_ptr, frac_srcptr);
#define frac_equal __gfrac_equal
int frac_equal(frac_srcptr, frac_srcptr);
