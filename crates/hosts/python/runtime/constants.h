/* Constants: values that headers define, as attributes of the module. */

/* A value as an object. Invalid UTF-8 is preserved by surrogateescape, as for file names. */
static FP_HELPER PyObject *
fp_from_value(const fp_c_value *v)
{
    fp_handle *handle;
    switch (v->kind) {
    case FP_VALUE_BOOL:
        return PyBool_FromLong((long)v->integer);
    case FP_VALUE_SIGNED:
        return PyLong_FromLongLong(v->integer);
    case FP_VALUE_UNSIGNED:
        return PyLong_FromUnsignedLongLong((unsigned long long)v->integer);
    case FP_VALUE_FLOAT:
        return PyFloat_FromDouble(v->real);
    case FP_VALUE_COMPLEX:
        return PyComplex_FromDoubles(v->real, v->imaginary);
    default:
        break;
    }
    if (v->pointer == NULL) {
        return Py_NewRef(Py_None);
    }
    if (v->kind == FP_VALUE_STRING) {
        const char *text = (const char *)v->pointer;
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
    }
    if (!fp_make_handle(&handle, (const fp_handle_class *)v->of, 0)) {
        return NULL;
    }
    fp_receive_handle(handle, (void *)v->pointer, 0);
    return (PyObject *)handle;
}

/* The value of a row. C++ may throw. */
static FP_HELPER PyObject *
fp_make_constant(const fp_constant *constant)
{
    fp_c_value value;
#ifdef __cplusplus
    try {
        value = constant->value();
    }
    FP_LET_THREADS_END
    catch (...) {
        fp_failure why;
        fp_catch(&why, fp_note_standard);
        fp_raise_failure(&why);
        return NULL;
    }
#else
    value = constant->value();
#endif
    return fp_from_value(&value);
}

/* Adds the constants, up to a row without a name, to the module and its classes. */
static FP_HELPER int
fp_add_constants(PyObject *module, const fp_constant *constants)
{
    int done = 1;
    for (; done && constants->name != NULL; constants++) {
        PyObject *made = fp_make_constant(constants);
        done = made != NULL && fp_add_member(module, constants->class_name, constants->name, made);
        Py_XDECREF(made);
    }
    return done ? 0 : -1;
}
