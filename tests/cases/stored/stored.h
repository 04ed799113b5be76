/* Types whose objects are in memory of the caller. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of initialisations and of clearings, which must be balanced. */
static int sv_begun, sv_ended;
static inline int sv_alive(void) { return sv_begun - sv_ended; }

/* An array of one struct, as GMP and MPFR have: passed by a pointer to it. */
typedef struct {
    int digits;
    double *value;
} sv_number_struct;
typedef sv_number_struct sv_number[1];

static int sv_default_digits = 7;
static inline void sv_init2(sv_number x, int digits)
{
    x->digits = digits;
    x->value = (double *)calloc(1, sizeof(double));
    sv_begun++;
}
static inline void sv_init(sv_number x) { sv_init2(x, sv_default_digits); }
static inline void sv_clear(sv_number x)
{
    free(x->value);
    sv_ended++;
}
static inline void sv_set(sv_number x, double value) { *x->value = value; }
static inline double sv_get(const sv_number x) { return *x->value; }
static inline int sv_digits(const sv_number x) { return x->digits; }
static inline void sv_set_digits(sv_number x, int digits) { x->digits = digits; }
/* Returns the sign, as MPFR's functions return how they have rounded. */
static inline int sv_add(sv_number sum, const sv_number a, const sv_number b)
{
    *sum->value = *a->value + *b->value;
    return (*sum->value > 0) - (*sum->value < 0);
}
static inline void sv_increase(sv_number x, double by) { *x->value += by; }
static inline int sv_divide(sv_number ratio, const sv_number a, const sv_number b)
{
    if (*b->value == 0) return 1;
    *ratio->value = *a->value / *b->value;
    return 0;
}
static inline void sv_split(sv_number whole, sv_number rest, const sv_number x)
{
    *whole->value = (double)(long)*x->value;
    *rest->value = *x->value - *whole->value;
}
static inline int sv_equal(const sv_number a, const sv_number b) { return *a->value == *b->value; }
/* Initialises the object itself, unless that fails. */
static inline int sv_init_power(sv_number x, double base, int exponent)
{
    if (exponent < 0) return 2;
    sv_init(x);
    for (*x->value = 1; exponent > 0; exponent--) *x->value *= base;
    return 0;
}
/* Calls with the number, and with one of its own. */
static inline double sv_visit(const sv_number x, double (*visit)(const sv_number x, void *data), void *data)
{
    sv_number own;
    double sum;
    sv_init(own);
    sv_set(own, 100);
    sum = visit(x, data) + visit(own, data);
    sv_clear(own);
    return sum;
}

/* A state that is aligned for vector instructions, of zeros at the beginning, and that nothing clears. */
typedef struct {
    uint64_t count;
    unsigned char last;
} __attribute__((aligned(64))) sv_state;
static inline uint64_t sv_update(sv_state *state, size_t n, const unsigned char *bytes)
{
    size_t k;
    for (k = 0; k < n; k++) {
        state->count += bytes[k];
        state->last = bytes[k];
    }
    return state->count;
}
static inline int sv_is_aligned(const sv_state *state) { return (uintptr_t)state % 64 == 0; }
static inline void sv_copy(sv_state *copy, const sv_state *state) { *copy = *state; }

/* A buffer whose initialisation may fail, with a message of its own. */
typedef struct sv_buffer {
    int size;
    double items[3];
    const char *message;
    char *memory;
    struct { int depth; } inner;
} sv_buffer;
static int sv_refuses;
static inline void sv_refuse(int refuses) { sv_refuses = refuses; }
static inline const char *sv_text(long long status) { return status == 3 ? "no buffers today" : NULL; }
static inline int sv_buffer_init(sv_buffer *buffer, int size)
{
    if (sv_refuses) return sv_refuses;
    buffer->size = size;
    buffer->memory = (char *)malloc(8);
    sv_begun++;
    return 0;
}
static inline void sv_buffer_free(sv_buffer *buffer)
{
    free(buffer->memory);
    sv_ended++;
}
/* Fills an initialised buffer; the message of a failure is in it. */
static inline int sv_buffer_fill(sv_buffer *buffer, size_t n, const double *items)
{
    if (n > 3) {
        buffer->message = "more than three items";
        return 0;
    }
    if (n > 0) memcpy(buffer->items, items, n * sizeof(double));
    buffer->size = (int)n;
    return 1;
}
/* It refers to the buffer. */
typedef struct {
    const sv_buffer *of;
    int at;
} sv_cursor;
static inline void sv_cursor_init(sv_cursor *cursor, const sv_buffer *of)
{
    cursor->of = of;
    cursor->at = 0;
}
static inline double sv_cursor_next(sv_cursor *cursor) { return cursor->of->items[cursor->at++ % 3]; }
