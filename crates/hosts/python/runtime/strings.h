/* Strings: Python's str to C's `const char *`, and strings that C wrote. */

/* PyUnicode_AsUTF8AndSize, without a call for the strings that store UTF-8. */
static inline const char *
fp_utf8_and_size(PyObject *o, Py_ssize_t *length)
{
#ifndef FP_NO_FIELDS
    if (FP_LIKELY(PyUnicode_IS_COMPACT_ASCII(o))) {
        *length = PyUnicode_GET_LENGTH(o);
        return (const char *)PyUnicode_DATA(o);
    }
#endif
    return PyUnicode_AsUTF8AndSize(o, length);
}

/* A string as UTF-8 with a terminating NUL. It is the str's own memory: the caller holds the str
 * until the call returns, with the GIL or without. */
static FP_HELPER int
fp_read_string(PyObject *o, const char **text, const fp_param *p)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(o)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "a ", " (str)");
    }
    *text = fp_utf8_and_size(o, &length);
    if (*text == NULL) {
        return fp_explain_error(p); /* a lone surrogate */
    }
    if (fp_has_nul(*text, (size_t)length)) {
        return fp_error(PyExc_ValueError, p, "the string contains an embedded NUL");
    }
    return 1;
}

/* The bytes of a string without its NUL; 0 for NULL. */
static FP_UNUSED npy_intp
fp_string_length(const char *text)
{
    return text == NULL ? 0 : (npy_intp)strlen(text);
}

/* A str from bytes that C wrote; invalid UTF-8 is a UnicodeDecodeError that names the origin. */
static FP_HELPER PyObject *
fp_make_item(const char *text, npy_intp length, npy_intp k, const fp_param *p)
{
    PyObject *made = PyUnicode_DecodeUTF8(text, length, NULL), *error, *words;
    fp_message reason;
    if (made != NULL || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        return made;
    }
    error = fp_take_exception();
    fp_begin(&reason, p);
    if (k >= 0) {
        fp_append(&reason, "item %lld is ", (long long)k);
    }
    fp_append_string(&reason, "no UTF-8");
    reason.text[reason.length] = 0;
    words = PyUnicode_FromString(reason.text);
    if (words != NULL && PyObject_SetAttrString(error, "reason", words) == 0) {
        PyErr_SetObject(PyExc_UnicodeDecodeError, error);
    }
    Py_XDECREF(words);
    Py_DECREF(error);
    return NULL;
}

static inline PyObject *
fp_make_string(const char *text, npy_intp length, const fp_param *p)
{
    return fp_make_item(text, length, -1, p);
}

/* Copies a string to `room` bytes, the rest of which are zeros, at least its NUL. */
static FP_HELPER int
fp_put_string(char *to, npy_intp room, const char *text, const fp_param *p)
{
    size_t length = strlen(text);
    if (room <= 0 || length >= (size_t)room) {
        return fp_error(PyExc_ValueError, p, FP_STRING_TOO_LONG, (long long)length, (long long)room);
    }
    memcpy(to, text, length);
    memset(to + length, 0, (size_t)room - length);
    return 1;
}

/* The characters of a string that C wrote: up to the first NUL, or all of the memory. */
static inline npy_intp
fp_written_length(const char *text, npy_intp room)
{
    const char *end = (const char *)memchr(text, 0, (size_t)room);
    return end == NULL ? room : (npy_intp)(end - text);
}
