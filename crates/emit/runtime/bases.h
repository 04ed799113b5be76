/* Bases: objects of a derived class as arguments of a base class.
 *
 * In C++ the pointer to an object may differ from that to its base. Only the compiler knows by how much, so the
 * generated code has a function for each conversion. */

/* A base of a class; an array of these ends with a row without one. */
typedef struct fp_base {
    const void *of;              /* the fp_handle_class */
    const struct fp_base *bases; /* its own bases; NULL: it has none */
    void *(*cast)(void *);       /* from the derived class */
} fp_base;

/* The argument of a destructor that needs another object besides the one that it releases. */
typedef struct {
    void *object, *context;
} fp_in_context;

/* Converts the pointer to an object of a class with these bases; 0: TO is none of them. */
static FP_HELPER int
fp_upcast(const fp_base *bases, const void *to, void **pointer)
{
    for (; bases != NULL && bases->of != NULL; bases++) {
        void *converted = bases->cast(*pointer);
        if (bases->of == to || fp_upcast(bases->bases, to, &converted)) {
            *pointer = converted;
            return 1;
        }
    }
    return 0;
}

/* The object of class `of` at `pointer` is, as one of class `to`, at `at`. */
static FP_UNUSED int
fp_is_at(const void *of, const fp_base *bases, void *pointer, const void *to, const void *at)
{
    return (of == to || fp_upcast(bases, to, &pointer)) && pointer == at;
}

/* Two handles lead to the same object, of one class or of related ones. */
#define fp_is_same_object(a, b)                                                                 \
    (fp_is_at((a)->of, (a)->of->bases, (a)->pointer, (b)->of, (b)->pointer)                     \
     || fp_is_at((b)->of, (b)->of->bases, (b)->pointer, (a)->of, (a)->pointer))
