/* The module: what is confirmed when it is compiled, and done when it is loaded. */

/* ---- Agreement with the headers ------------------------------------------------------------------ */

/* C passes a `void *` as any pointer; in C++ this stands for it. */
#ifdef __cplusplus
struct fp_any_pointer {
    void *data;
    template <class T> operator T *() const { return static_cast<T *>(data); }
};
#define FP_POINTER(p) (fp_any_pointer{(void *)(p)})
#define FP_ASSERT(condition, text) static_assert(condition, text)
#define FP_BEGIN_C extern "C" {
#define FP_END_C }
#else
#define FP_POINTER(p) ((void *)(p))
#define FP_ASSERT(condition, text) _Static_assert(condition, text)
#define FP_BEGIN_C
#define FP_END_C
#endif

/* Type T must be a number of this kind and of SIZE bytes. The class comes first: of a floating T, the
 * sign would be no constant expression. 8 and 9: gcc's classes of real and complex types. */
#define FP_CONFIRM(T, SIZE, IS_CLASS, NAME) \
    FP_ASSERT(sizeof(T) == SIZE && (IS_CLASS), #T " is not " NAME " here")
#define FP_CLASS(T) __builtin_classify_type((T)0)
/* In C++ an enum has a class of its own, and no sign. */
#define FP_IS_ENUM(T) (FP_CLASS(T) == 3)
#define FP_CONFIRM_SIGNED(T, SIZE, NAME)                                                        \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT(FP_IS_ENUM(T) || (T)-1 < (T)1, #T " is unsigned here, not " NAME)
#define FP_CONFIRM_UNSIGNED(T, SIZE, NAME)                                                      \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT(FP_IS_ENUM(T) || (T)-1 > (T)1, #T " is signed here, not " NAME)
#define FP_CONFIRM_BOOL(T, SIZE, NAME)                                                          \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT((T)2 == (T)1, #T " is not " NAME " here")
#define FP_CONFIRM_FLOAT(T, SIZE, NAME) FP_CONFIRM(T, SIZE, FP_CLASS(T) == 8, NAME)
#define FP_CONFIRM_COMPLEX(T, SIZE, NAME) FP_CONFIRM(T, SIZE, FP_CLASS(T) == 9, NAME)

/* The C function F, as the headers declare it, must have this type. A wrong interface ends here, at
 * a #line of its own, instead of in a crash. */
#define FP_AGREES(ID, F, TYPE) \
    static const __typeof__(TYPE) fp_agrees_##ID __attribute__((unused)) = F

/* The same where the header may also write the type as OTHER: tensors as arrays of arrays, complex
 * pointers as void pointers. The compiler's message speaks of TYPE. */
#ifdef __cplusplus
#define FP_AGREES_OR(ID, F, TYPE, OTHER) \
    static const __typeof__(&F) fp_agrees_##ID __attribute__((unused)) = F
#define FP_AGREES_OR2(ID, F, TYPE, OTHER, THIRD) FP_AGREES_OR(ID, F, TYPE, OTHER)
#else
#define FP_AGREES_OR(ID, F, TYPE, OTHER)                                                        \
    static const __typeof__(__builtin_choose_expr(                                              \
        __builtin_types_compatible_p(__typeof__(&F), OTHER), (OTHER)0, (TYPE)0)) fp_agrees_##ID \
        __attribute__((unused)) = F
#define FP_AGREES_OR2(ID, F, TYPE, OTHER, THIRD)                                                \
    static const __typeof__(__builtin_choose_expr(                                              \
        __builtin_types_compatible_p(__typeof__(&F), OTHER), (OTHER)0,                          \
        __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(&F), THIRD), (THIRD)0,    \
                              (TYPE)0))) fp_agrees_##ID __attribute__((unused)) = F
/* A pointer type that differs is a warning to older compilers. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#endif

#define FP_DATA(x) FP_POINTER((x).data)

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* A status other than 0. */
static FP_COLD int
fp_bad_status(const char *function, const char *c_name, int is_unsigned, long long status)
{
    PyErr_Format(PyExc_RuntimeError,
                 is_unsigned ? "%s(): %s returned status %llu" : "%s(): %s returned status %lld",
                 function, c_name, status);
    return 0;
}

/* What Python passes to a function of the module; the count has a flag in its highest bit. */
#define FP_ENTRY                                                                                \
    PyObject *fp_self, PyObject *const *fp_args, size_t fp_count, PyObject *fp_keywords
#define FP_GIVEN PyVectorcall_NARGS(fp_count)

/* ---- Loading --------------------------------------------------------------------------------------- */

/* Elements in all arrays of a call from which letting go of the GIL (about 25 ns) pays. */
#ifndef FP_WORK
#define FP_WORK 4096
#endif

/* Interned names are one for the process, so a module serves one interpreter at a time. */
#if PY_VERSION_HEX >= 0x030C0000
#define FP_MODULE_SLOTS {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#else
#define FP_MODULE_SLOTS
#endif

/* What thread pool controllers call; in modules that use threads. */
#if defined(__GNUC__) || defined(__clang__)
#define FP_VISIBLE __attribute__((visibility("default")))
#else
#define FP_VISIBLE
#endif
#define FP_CONTROL_THREADS                                                                      \
    FP_BEGIN_C                                                                                  \
    FP_VISIBLE int fishplate_get_num_threads(void);                                             \
    FP_VISIBLE void fishplate_set_num_threads(int count);                                       \
    FP_VISIBLE int fishplate_get_num_threads(void) { return fp_process_threads(); }             \
    FP_VISIBLE void fishplate_set_num_threads(int count)                                        \
    {                                                                                           \
        fp_thread_limit = count < 0 ? 0 : count > FP_MAX_THREADS ? FP_MAX_THREADS : count;      \
    }                                                                                           \
    FP_END_C

static FP_HELPER int
fp_intern(fp_name *const *names)
{
    for (; *names != NULL; names++) {
        if ((*names)->object == NULL) {
            (*names)->object = PyUnicode_InternFromString((*names)->text);
            if ((*names)->object == NULL) {
                return -1;
            }
        }
    }
    return 0;
}

static FP_HELPER int
fp_start(PyObject *module, fp_name *const *names, const fp_description *functions)
{
    if (PyArray_API == NULL && _import_array() < 0) {
        PyArray_API = NULL; /* it is set before NumPy's version is found to be wrong */
        return -1;
    }
    if (fp_intern(fp_protocols) < 0 || fp_intern(fp_list_names) < 0 || fp_intern(names) < 0) {
        return -1;
    }
    return fp_add_functions(module, functions);
}

#endif /* FISHPLATE_PYTHON_H */
