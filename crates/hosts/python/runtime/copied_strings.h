/* Strings in memory of a size that the interface declares, and arrays of them, `char names[n][16]`: copies, and strings
 * that C wrote there. */

/* in, in out: a string in new memory of `room` bytes. */
static FP_HELPER int
fp_string_in(fp_array *x, npy_intp room, PyObject *o, const fp_param *p)
{
    const char *text;
    if (!fp_read_string(o, &text, p)) {
        fp_array_clear(x);
        return 0;
    }
    return fp_array_scratch(fp_shape_1(x, room), p) && fp_put_string((char *)x->data, room, text, p);
}

/* in, in out: a sequence of strings, each in new memory of `room` bytes. */
static FP_HELPER int
fp_string_rows_in(fp_array *x, npy_intp room, PyObject *o, const fp_param *p)
{
    fp_array from;
    int put = fp_strings_in(&from, o, p);
    npy_intp k;
    fp_array_clear(x);
    put = put && fp_array_scratch(fp_shape_2(x, from.shape[0], room), p);
    for (k = 0; put && k < from.shape[0]; k++) {
        fp_item_param named;
        const char *text = ((const char *const *)from.data)[k];
        put = fp_put_string((char *)x->data + k * room, room, text, &fp_name_pointer(&named, k, p)->param);
    }
    fp_release(&from);
    return put;
}

/* The str that C wrote. */
static FP_HELPER PyObject *
fp_return_string(const fp_array *x, const fp_param *p)
{
    const char *text = (const char *)x->data;
    return fp_make_string(text, fp_written_length(text, x->shape[0]), p);
}

/* The list of str that C wrote. */
static FP_HELPER PyObject *
fp_return_string_rows(const fp_array *x, const fp_param *p)
{
    PyObject *made = PyList_New(x->shape[0]);
    npy_intp k;
    for (k = 0; made != NULL && k < x->shape[0]; k++) {
        const char *text = (const char *)x->data + k * x->shape[1];
        PyObject *one = fp_make_item(text, fp_written_length(text, x->shape[1]), k, p);
        if (one == NULL) {
            Py_DECREF(made);
            return NULL;
        }
        (void)PyList_SetItem(made, k, one);
    }
    return made;
}
