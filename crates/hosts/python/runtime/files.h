/* Files: a stream of C on the descriptor of a Python file.
 *
 * The stream has a duplicate of the descriptor, so that it can be closed, and both have one offset. Before the
 * call, Python writes what it has buffered, and the offset is moved to Python's position. After the call, the
 * stream is closed, the offset is again what Python's buffer expects, and Python's file is moved to the position
 * at which C has stopped. A file that cannot seek, such as a pipe, has no position. */

enum { FP_TYPE_FILE = 1013 };

typedef struct {
    FILE *stream;     /* NULL: the caller has passed none */
    PyObject *file;   /* the caller's file; NULL: the stream belongs to C */
    PyObject *raw;    /* the io.FileIO below it */
    PyObject *offset; /* the offset that Python's buffer expects; NULL: the file cannot seek */
} fp_file;

#ifdef _WIN32
#include <io.h>
#define fp_fdopen _fdopen
#define fp_ftell _ftelli64
#define fp_close_descriptor _close
#else
#define fp_fdopen fdopen
#define fp_ftell ftello
#define fp_close_descriptor close
#endif

/* A stream of C, or NULL. */
static FP_UNUSED void
fp_use_stream(fp_file *f, FILE *stream)
{
    f->stream = stream;
    f->file = f->raw = f->offset = NULL;
}

/* Replaces `*o`, a new reference, by one of its attributes. Returns 1; 0 with an exception; -1 if it lacks the
 * attribute. */
static FP_HELPER int
fp_descend(PyObject **o, const char *name)
{
    PyObject *inner = PyObject_GetAttrString(*o, name);
    if (inner == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return 0;
        }
        PyErr_Clear();
        return -1;
    }
    Py_DECREF(*o);
    *o = inner;
    return 1;
}

/* The io.FileIO below a file, as a new reference; `is_text` is set to 1 if the file encodes text. NULL with an
 * exception, or without one if the file has no io.FileIO, as io.StringIO and compressed files. */
static FP_HELPER PyObject *
fp_find_raw_file(PyObject *o, int *is_text)
{
    PyObject *type = PyImport_ImportModule("io"), *raw = Py_NewRef(o);
    int done = type == NULL ? 0 : fp_descend(&type, "FileIO");
    int found = done <= 0 ? 0 : fp_descend(&raw, "buffer");
    *is_text = found == 1;
    found = found == 0 ? 0 : fp_descend(&raw, "raw");
    if (found == 0 || PyObject_IsInstance(raw, type) != 1) {
        Py_CLEAR(raw);
    }
    Py_XDECREF(type);
    return raw;
}

/* Calls a method without a result. */
static FP_HELPER int
fp_command_file(PyObject *file, const char *method, PyObject *argument)
{
    PyObject *done = argument == NULL ? PyObject_CallMethod(file, method, NULL)
                                      : PyObject_CallMethod(file, method, "O", argument);
    Py_XDECREF(done);
    return done != NULL;
}

/* Writes what Python has buffered, and moves the offset of the descriptor to Python's position. */
static FP_HELPER int
fp_move_descriptor(fp_file *f, int is_text)
{
    PyObject *seekable = PyObject_CallMethod(f->raw, "seekable", NULL), *at = NULL, *inner;
    int seeks = seekable == NULL ? -1 : PyObject_IsTrue(seekable), done;
    Py_XDECREF(seekable);
    if (seeks <= 0) {
        return seeks == 0 && fp_command_file(f->file, "flush", NULL);
    }
    /* Before it is flushed: after that, text over which a loop iterates returns a wrong position. */
    at = PyObject_CallMethod(f->file, "tell", NULL);
    if (at == NULL || !fp_command_file(f->file, "flush", NULL)) {
        Py_XDECREF(at);
        return 0;
    }
    if (is_text) {
        /* The position of text is that of its bytes after the file has been moved to it. */
        done = fp_command_file(f->file, "seek", at);
        Py_CLEAR(at);
        inner = done ? PyObject_GetAttrString(f->file, "buffer") : NULL;
        at = inner == NULL ? NULL : PyObject_CallMethod(inner, "tell", NULL);
        Py_XDECREF(inner);
    }
    f->offset = at == NULL ? NULL : PyObject_CallMethod(f->raw, "tell", NULL);
    done = f->offset != NULL && fp_command_file(f->raw, "seek", at);
    Py_XDECREF(at);
    return done;
}

/* Opens the stream on a duplicate of the descriptor. */
static FP_HELPER int
fp_open_stream(fp_file *f)
{
    PyObject *mode = PyObject_GetAttrString(f->raw, "mode"), *os = NULL, *copy = NULL;
    const char *text = mode == NULL ? NULL : PyUnicode_AsUTF8AndSize(mode, NULL);
    int descriptor = text == NULL ? -1 : PyObject_AsFileDescriptor(f->raw);
    char how[8] = "";
    if (descriptor >= 0) {
        /* Python creates the file for "x"; C must not do so again. */
        PyOS_snprintf(how, sizeof(how), "%c%s", text[0] == 'x' ? 'w' : text[0], text + 1);
        os = PyImport_ImportModule("os");
        copy = os == NULL ? NULL : PyObject_CallMethod(os, "dup", "i", descriptor);
    }
    Py_XDECREF(mode);
    Py_XDECREF(os);
    descriptor = copy == NULL ? -1 : (int)PyLong_AsLong(copy);
    Py_XDECREF(copy);
    if (descriptor < 0) {
        return 0;
    }
    f->stream = fp_fdopen(descriptor, how);
    if (f->stream == NULL) {
        PyErr_SetFromErrno(PyExc_OSError);
        fp_close_descriptor(descriptor);
    }
    return f->stream != NULL;
}

/* Closes the stream. `*at` is where C has stopped, or NULL. Returns 0 with an exception, which names `p` unless it is
 * NULL. */
static FP_HELPER int
fp_close_stream(fp_file *f, PyObject **at, const fp_param *p)
{
    int failed = ferror(f->stream), done = fflush(f->stream) == 0;
    long long position = f->offset == NULL ? -1 : (long long)fp_ftell(f->stream);
    done = fclose(f->stream) == 0 && done;
    f->stream = NULL;
    if (!done) {
        PyErr_SetFromErrno(PyExc_OSError);
    }
    else if (failed) {
        done = p != NULL && fp_error(PyExc_OSError, p, "C could not read or write the file; how was it opened?");
    }
    else if (position >= 0) {
        *at = PyLong_FromLongLong(position);
        done = *at != NULL;
    }
    return done;
}

/* Closes the stream, and moves Python's file to where C has stopped. Returns 0 with an exception. */
static FP_HELPER int
fp_end_stream(fp_file *f, const fp_param *p)
{
    PyObject *at = NULL;
    fp_aside aside;
    int done = f->stream == NULL || fp_close_stream(f, &at, p), moved;
    if (!done) {
        fp_put_aside(&aside);
    }
    moved = f->offset == NULL
            || (fp_command_file(f->raw, "seek", f->offset) && (at == NULL || fp_command_file(f->file, "seek", at)));
    if (!done) {
        PyErr_Clear();
        fp_put_back(&aside);
    }
    Py_XDECREF(at);
    Py_CLEAR(f->offset);
    Py_CLEAR(f->raw);
    fp_use_stream(f, NULL);
    return done && moved;
}

/* The same after a failure, whose exception stays. */
static FP_UNUSED void
fp_drop_file(fp_file *f)
{
    fp_aside aside;
    if (f->file == NULL) {
        return;
    }
    fp_put_aside(&aside);
    if (!fp_end_stream(f, NULL)) {
        PyErr_Clear();
    }
    fp_put_back(&aside);
}

/* A stream on the caller's file. */
static FP_HELPER int
fp_open_file(PyObject *o, fp_file *f, const fp_param *p)
{
    int is_text;
    fp_use_stream(f, NULL);
    f->raw = fp_find_raw_file(o, &is_text);
    if (f->raw == NULL) {
        fp_message t;
        if (PyErr_Occurred()) {
            return fp_explain_error(p);
        }
        fp_begin_wanted(&t, p);
        fp_append_string(&t, "an open file of the operating system");
        return fp_raise_got(PyExc_TypeError, &t, o);
    }
    f->file = o;
    if (fp_move_descriptor(f, is_text) && fp_open_stream(f)) {
        return 1;
    }
    fp_drop_file(f);
    return fp_explain_error(p);
}

/* After the call: everything that C has written is in the file. */
static FP_UNUSED int
fp_close_file(fp_file *f, const fp_param *p)
{
    if (f->file == NULL) {
        if (f->stream != NULL) {
            fflush(f->stream);
        }
        return 1;
    }
    return fp_end_stream(f, p) || fp_explain_error(p);
}

/* Text and compressed files are files, too. The file below them is checked when the stream is opened. */
static inline fp_fit
fp_fit_file(PyObject *o, const fp_param *p)
{
    if (p->type != FP_TYPE_FILE) {
        return FP_FIT_OF_KIND(o, p);
    }
    return PyObject_HasAttrString(o, "fileno") ? FP_EXACT : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_file

static inline const char *
fp_name_of_file(int type)
{
    return type == FP_TYPE_FILE ? "a stream" : FP_NAME_OF_KIND(type);
}
#undef FP_NAME_OF_KIND
#define FP_NAME_OF_KIND fp_name_of_file
