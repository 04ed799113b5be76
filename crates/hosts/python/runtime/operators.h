/* Operators and properties: the slots of a class, which call its methods.
 *
 * Python calls a slot without a closure, so a generated module defines a function for each by a macro. METHOD is
 * called as Python calls a method: with the object, and the other operands as arguments. */

/* The value of an operator. If the other operand is of another type and refused, Python asks that type. */
static FP_HELPER PyObject *
fp_operate(fp_entry method, PyObject *self, PyObject *other)
{
    PyObject *result = method(self, &other, 1, NULL);
    if (result == NULL && Py_TYPE(self) != Py_TYPE(other) && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return Py_NewRef(Py_NotImplemented);
    }
    return result;
}

/* The same for a binary operator, whose operands may be in either order. NULL: there is no method. */
static FP_HELPER PyObject *
fp_operate_both(const fp_handle_class *of, fp_entry method, fp_entry swapped, PyObject *a, PyObject *b)
{
    PyObject *result = NULL;
    if (method != NULL && fp_is_handle(a, of)) {
        result = fp_operate(method, a, b);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    return swapped != NULL && fp_is_handle(b, of) ? fp_operate(swapped, b, a) : Py_NewRef(Py_NotImplemented);
}

/* `a += b`: the object, which the method has changed. */
static FP_HELPER PyObject *
fp_operate_in_place(fp_entry method, PyObject *self, PyObject *other)
{
    PyObject *result = fp_operate(method, self, other);
    if (result != NULL && result != Py_NotImplemented) {
        fp_set_reference(&result, Py_NewRef(self));
    }
    return result;
}

/* The bool of a number of C; takes ownership of the number. -1: an exception. */
static FP_HELPER int
fp_truth(PyObject *result)
{
    int truth = result == NULL ? -1 : PyObject_IsTrue(result);
    Py_XDECREF(result);
    return truth;
}

/* A comparison. Of numbers, the value is whether the number is not 0. */
static FP_HELPER PyObject *
fp_compare(fp_entry method, PyObject *self, PyObject *other)
{
    PyObject *result = method == NULL ? Py_NewRef(Py_NotImplemented) : fp_operate(method, self, other);
    if (result != NULL && PyLong_CheckExact(result)) {
        fp_set_reference(&result, PyBool_FromLong(PyObject_IsTrue(result)));
    }
    return result;
}

/* The comparison with this number of Python, by METHODS in its order. Without `!=`, that is the opposite of `==`. */
static FP_HELPER PyObject *
fp_compare_by(const fp_entry *methods, PyObject *self, PyObject *other, int operation)
{
    int is_opposite = operation == Py_NE && methods[Py_NE] == NULL;
    PyObject *result = fp_compare(methods[is_opposite ? Py_EQ : operation], self, other);
    if (is_opposite && result != NULL && result != Py_NotImplemented) {
        int truth = fp_truth(result);
        return truth < 0 ? NULL : PyBool_FromLong(!truth);
    }
    return result;
}

/* For a class with an order, but without `==`. */
static FP_UNUSED Py_hash_t
fp_hash_of_identity(PyObject *self)
{
    return ((hashfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_hash))(self);
}

/* The size of an object, or its hash; takes ownership of the number. -1: an exception. */
static FP_HELPER Py_ssize_t
fp_take_length(PyObject *result)
{
    Py_ssize_t size = result == NULL ? -1 : PyLong_AsSsize_t(result);
    Py_XDECREF(result);
    if (size < 0 && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "C returned a negative length");
    }
    return size;
}

static FP_HELPER Py_hash_t
fp_hash(PyObject *result)
{
    Py_hash_t hash = result == NULL ? -1 : PyObject_Hash(result);
    Py_XDECREF(result);
    return hash;
}

/* result converted by `convert`, such as PyNumber_Float; takes ownership of it. */
static FP_HELPER PyObject *
fp_convert(PyObject *result, PyObject *(*convert)(PyObject *))
{
    if (result != NULL) {
        fp_set_reference(&result, convert(result));
    }
    return result;
}

/* The next value of an iterator; None ends the iteration. */
static FP_HELPER PyObject *
fp_next(PyObject *result)
{
    if (result == Py_None) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

/* o[key] = value; without a value, which is refused, `del o[key]`. */
static FP_HELPER int
fp_set_item(fp_entry method, PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *args[2], *result;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "items cannot be deleted");
        return -1;
    }
    args[0] = key;
    args[1] = value;
    result = method(self, args, 2, NULL);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* o[k] for an iteration by indices, which ends at the length. */
static FP_HELPER PyObject *
fp_sequence_get(fp_entry method, PyObject *self, Py_ssize_t k)
{
    Py_ssize_t count = PyObject_Size(self);
    PyObject *key, *result;
    if (count < 0) {
        return NULL;
    }
    if (k < 0 || k >= count) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    key = PyLong_FromSsize_t(k);
    if (key == NULL) {
        return NULL;
    }
    result = method(self, &key, 1, NULL);
    Py_DECREF(key);
    return result;
}

/* CALL calls the method for `self`. */
#define FP_UNARY(NAME, CALL)                                                                    \
    PyObject *NAME(PyObject *self) { return CALL; }
#define FP_BINARY(NAME, OF, METHOD, SWAPPED)                                                    \
    PyObject *NAME(PyObject *a, PyObject *b) { return fp_operate_both(OF, METHOD, SWAPPED, a, b); }
#define FP_POWER(NAME, OF, METHOD, SWAPPED)                                                     \
    PyObject *NAME(PyObject *a, PyObject *b, PyObject *modulus)                                 \
    {                                                                                           \
        return modulus == Py_None ? fp_operate_both(OF, METHOD, SWAPPED, a, b) : Py_NewRef(Py_NotImplemented); \
    }
#define FP_IN_PLACE(NAME, METHOD)                                                               \
    PyObject *NAME(PyObject *self, PyObject *other) { return fp_operate_in_place(METHOD, self, other); }
#define FP_POWER_IN_PLACE(NAME, METHOD)                                                         \
    PyObject *NAME(PyObject *self, PyObject *other, PyObject *modulus)                          \
    {                                                                                           \
        (void)modulus;                                                                          \
        return fp_operate_in_place(METHOD, self, other);                                        \
    }
#define FP_COMPARISON(NAME, LESS, LESS_EQUAL, EQUAL, UNEQUAL, GREATER, GREATER_EQUAL)           \
    PyObject *NAME(PyObject *self, PyObject *other, int operation)                              \
    {                                                                                           \
        static const fp_entry methods[] = {LESS, LESS_EQUAL, EQUAL, UNEQUAL, GREATER, GREATER_EQUAL}; \
        return fp_compare_by(methods, self, other, operation);                                  \
    }
#define FP_TRUTH(NAME, CALL)                                                                    \
    int NAME(PyObject *self) { return fp_truth(CALL); }
#define FP_LENGTH(NAME, CALL)                                                                   \
    Py_ssize_t NAME(PyObject *self) { return fp_take_length(CALL); }
#define FP_HASH(NAME, CALL)                                                                     \
    Py_hash_t NAME(PyObject *self) { return fp_hash(CALL); }
#define FP_TO_INTEGER(NAME, CALL)                                                               \
    PyObject *NAME(PyObject *self) { return fp_convert(CALL, PyNumber_Long); }
#define FP_TO_FLOAT(NAME, CALL)                                                                 \
    PyObject *NAME(PyObject *self) { return fp_convert(CALL, PyNumber_Float); }
#define FP_ITERATION(NAME, CALL)                                                                \
    PyObject *NAME(PyObject *self) { return fp_convert(CALL, PyObject_GetIter); }
#define FP_NEXT(NAME, CALL)                                                                     \
    PyObject *NAME(PyObject *self) { return fp_next(CALL); }
#define FP_GET_ITEM(NAME, METHOD)                                                                   \
    PyObject *NAME(PyObject *self, PyObject *key) { return METHOD(self, &key, 1, NULL); }
#define FP_SET_ITEM(NAME, METHOD)                                                               \
    int NAME(PyObject *self, PyObject *key, PyObject *value) { return fp_set_item(METHOD, self, key, value); }
#define FP_SEQUENCE_ITEM(NAME, METHOD)                                                          \
    PyObject *NAME(PyObject *self, Py_ssize_t k) { return fp_sequence_get(METHOD, self, k); }
#define FP_CONTAINS(NAME, METHOD)                                                               \
    int NAME(PyObject *self, PyObject *item) { return fp_truth(METHOD(self, &item, 1, NULL)); }
#define FP_CALLED(NAME, METHOD)                                                                 \
    PyObject *NAME##_vector(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords) \
    {                                                                                           \
        return METHOD(self, args, PyVectorcall_NARGS(count), keywords);                         \
    }                                                                                           \
    static PyObject *NAME(PyObject *self, PyObject *args, PyObject *keywords)                   \
    {                                                                                           \
        return fp_call_unpacked(NAME##_vector, self, args, keywords);                           \
    }

/* ---- Properties ------------------------------------------------------------------------------------ */

/* Defines the functions that get and set an attribute, of which BODY is an fp_body. */
#define FP_GETTER(NAME, BODY)                                                                   \
    PyObject *NAME(PyObject *fp_self, void *fp_unused FP_UNUSED) { return FP_GUARDED(BODY)(&fp_self); }
#define FP_SETTER(NAME, BODY)                                                                   \
    int NAME(PyObject *fp_self, PyObject *fp_value, void *fp_unused FP_UNUSED)                  \
    {                                                                                           \
        PyObject *both[2];                                                                      \
        both[0] = fp_self;                                                                      \
        both[1] = fp_value;                                                                     \
        return fp_value == NULL ? fp_refuse_deletion() : fp_end_setter(FP_GUARDED(BODY)(both)); \
    }

static FP_COLD int
fp_refuse_deletion(void)
{
    PyErr_SetString(PyExc_AttributeError, "the attribute cannot be deleted");
    return -1;
}

static FP_UNUSED int
fp_end_setter(PyObject *result)
{
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* The method of a property that has further overloads. */
typedef struct {
    fp_entry method;
} fp_property;

static FP_UNUSED PyObject *
fp_get_property(PyObject *self, void *property)
{
    return ((const fp_property *)property)->method(self, NULL, 0, NULL);
}

static FP_UNUSED int
fp_set_property(PyObject *self, PyObject *value, void *property)
{
    return value == NULL ? fp_refuse_deletion()
                         : fp_end_setter(((const fp_property *)property)->method(self, &value, 1, NULL));
}
