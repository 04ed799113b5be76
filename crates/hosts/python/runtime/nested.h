/* Nested values: Python's sequences, tuples, dicts and numbers to trees of nodes.
 *
 * Purpose: read a value by the signature of its type, to a tree (nodes.h).
 * Invariant: the values to which a tree refers are held by its parts until the call has returned; C changes none of them.
 * Reason: other threads may change the caller's containers while C runs, so each is read from a copy. */

/* Memory or an object that a tree refers to. */
typedef struct fp_nested_part {
    struct fp_nested_part *next;
    PyObject *object; /* or NULL */
    fp_array *array;  /* or NULL; it follows */
} fp_nested_part;

typedef struct {
    fp_node root;
    fp_nested_part *parts;
} fp_nested_value;

#define FP_NO_NESTED {{FP_NODE_NONE, 0, 0, 0, 0, {0}}, NULL}

/* At the place of the NumPy type in other parameters. */
enum { FP_TYPE_NESTED = 1012 };

/* The state of the conversion of one argument. */
typedef struct {
    fp_nested_value *to;
    const fp_param *param;
} fp_nested_reader;

/* ---- Messages ------------------------------------------------------------------------------------- */

/* The parameter of a value, for messages. `name` has room for its path. */
static FP_COLD fp_param
fp_name_path(const fp_nested_reader *r, const fp_nested_path *path, int type, fp_message *name)
{
    fp_param p = *r->param;
    name->length = 0;
    fp_append_string(name, p.name);
    fp_append_path(name, path);
    name->text[name->length] = 0;
    p.name = name->text;
    p.type = type;
    return p;
}

/* The types that a signature accepts: "a list", "an int, a str". */
static FP_COLD void
fp_append_accepted(fp_message *t, const char *type)
{
    switch (*type) {
    case 'n': fp_append_string(t, "None"); break;
    case 'b': fp_append_string(t, "a bool"); break;
    case 'i': case 'u': fp_append_string(t, "an int"); break;
    case 'f': fp_append_string(t, "a float"); break;
    case 'c': fp_append_string(t, "a complex number"); break;
    case 's': fp_append_string(t, "a str"); break;
    case 'a': fp_append_string(t, "an array"); break;
    case 'l': fp_append_string(t, "a sequence"); break;
    case 't': fp_append_string(t, "a tuple"); break;
    case 'm': fp_append_string(t, "a dict"); break;
    case 'k':
        type++;
        fp_node_size(&type);
        fp_append_accepted(t, type);
        break;
    case 'o':
        fp_append_accepted(t, type + 1);
        fp_append_string(t, ", None");
        break;
    default: {
        const char *one = type + 1;
        for (; *one != 'e'; one = fp_after_node(one)) {
            fp_append_string(t, one == type + 1 ? "" : ", ");
            fp_append_accepted(t, one);
        }
    }
    }
}

static FP_COLD int
fp_wanted_nested(const fp_nested_reader *r, const fp_nested_path *path, const char *type, PyObject *o)
{
    fp_message t, name;
    fp_param p = fp_name_path(r, path, 0, &name);
    if (PyErr_Occurred()) {
        return fp_explain_error(&p);
    }
    fp_begin_wanted(&t, &p);
    fp_append_accepted(&t, type);
    return fp_raise_got(PyExc_TypeError, &t, o);
}

/* ---- What a tree refers to ------------------------------------------------------------------------ */

/* Adds a part with this much memory after it; takes the reference to the object. NULL with an exception. */
static FP_HELPER fp_nested_part *
fp_add_nested_part(const fp_nested_reader *r, PyObject *object, size_t size)
{
    fp_nested_part *part;
    if (size > PY_SSIZE_T_MAX - 64) {
        part = NULL;
    }
    else {
        part = (fp_nested_part *)PyMem_Malloc(64 + size);
    }
    if (part == NULL) {
        Py_XDECREF(object);
        PyErr_NoMemory();
        return NULL;
    }
    part->next = r->to->parts;
    part->object = object;
    part->array = NULL;
    r->to->parts = part;
    return part;
}

static inline void *
fp_memory_of(fp_nested_part *part)
{
    return (char *)part + 64;
}

static FP_HELPER void
fp_release_nested(fp_nested_value *x)
{
    while (x->parts != NULL) {
        fp_nested_part *part = x->parts;
        x->parts = part->next;
        Py_XDECREF(part->object);
        if (part->array != NULL) {
            fp_release(part->array);
        }
        PyMem_Free(part);
    }
}

/* The nodes of a container, `each` for one value. It holds the values, a new reference. */
static FP_HELPER int
fp_add_nodes(const fp_nested_reader *r, fp_node *node, fp_node_kind kind, PyObject *values, Py_ssize_t count, size_t each)
{
    size_t size = (size_t)count * each * sizeof(fp_node);
    fp_nested_part *part = fp_add_nested_part(r, values, size);
    if (part == NULL) {
        return 0;
    }
    memset(fp_memory_of(part), 0, size);
    node->kind = kind;
    node->count = (size_t)count;
    node->of.nodes = (fp_node *)fp_memory_of(part);
    return 1;
}

/* ---- Numbers and arrays ------------------------------------------------------------------------------- */

static FP_HELPER int
fp_numpy_type(char letter, int size)
{
    switch (letter) {
    case 'b': return NPY_BOOL;
    case 'f': return size == 4 ? NPY_FLOAT32 : NPY_FLOAT64;
    case 'c': return size == 8 ? NPY_COMPLEX64 : NPY_COMPLEX128;
    case 'i': return size == 1 ? NPY_INT8 : size == 2 ? NPY_INT16 : size == 4 ? NPY_INT32 : NPY_INT64;
    default: return size == 1 ? NPY_UINT8 : size == 2 ? NPY_UINT16 : size == 4 ? NPY_UINT32 : NPY_UINT64;
    }
}

/* The loops that convert arrays to a type. */
static FP_HELPER fp_converter
fp_converter_to(int type)
{
    switch (type) {
    case NPY_BOOL: return fp_to_bool;
    case NPY_INT8: return fp_to_int8;
    case NPY_UINT8: return fp_to_uint8;
    case NPY_INT16: return fp_to_int16;
    case NPY_UINT16: return fp_to_uint16;
    case NPY_INT32: return fp_to_int32;
    case NPY_UINT32: return fp_to_uint32;
    case NPY_INT64: return fp_to_int64;
    case NPY_UINT64: return fp_to_uint64;
    case NPY_FLOAT32: return fp_to_float32;
    case NPY_FLOAT64: return fp_to_float64;
    case NPY_COMPLEX64: return fp_to_complex64;
    default: return fp_to_complex128;
    }
}

static FP_HELPER int
fp_read_nested_number(const fp_nested_reader *r, fp_node *node, char letter, int size, PyObject *o, const fp_nested_path *path)
{
    fp_message name;
    fp_param p;
    union { double parts[2]; long long integer; unsigned char truth; float real; } value;
    int done;
    if (letter == 'f' && size == 8 && PyFloat_CheckExact(o)) {
        node->kind = FP_NODE_REAL;
        node->of.parts[0] = fp_double_of(o);
        return 1;
    }
    if (letter == 'i' && PyLong_CheckExact(o)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(o, &overflow), max = (long long)((1ull << (8 * size - 1)) - 1);
        if (overflow == 0 && number <= max && number >= -max - 1) {
            node->kind = FP_NODE_SIGNED;
            node->of.integer = number;
            return 1;
        }
    }
    p = fp_name_path(r, path, fp_numpy_type(letter, size), &name);
    memset(&value, 0, sizeof(value));
    switch (letter) {
    case 'b': done = fp_read_bool(o, &value, &p); break;
    case 'f': done = size == 4 ? fp_read_float32(o, &value.real, &p) : fp_read_float64(o, value.parts, &p); break;
    case 'c': done = size == 8 ? fp_read_complex64(o, &value, &p) : fp_read_complex128(o, &value, &p); break;
    default: done = fp_read_integer(o, &value, &p); break;
    }
    return done && fp_set_node(node, letter, size, &value);
}

/* A one-dimensional array, in place or as a copy. */
static FP_HELPER int
fp_read_nested_array(const fp_nested_reader *r, fp_node *node, char letter, int size, PyObject *o, const fp_nested_path *path)
{
    fp_message name;
    fp_param p = *r->param;
    fp_nested_part *part = fp_add_nested_part(r, NULL, sizeof(fp_array) + 16);
    fp_array *x;
    if (part == NULL) {
        return 0;
    }
    x = (fp_array *)fp_memory_of(part);
    fp_array_clear(x);
    part->array = x;
    p.type = fp_numpy_type(letter, size);
    p.size = size;
    p.ndim = 1;
    p.flags = FP_C_ORDER;
    p.converter = fp_converter_to(p.type);
    if (!fp_use_if_ready(x, o, &p)) {
        /* Only what may fail needs the name, which takes longer than an array in place. */
        p.name = fp_name_path(r, path, p.type, &name).name;
        if (!fp_array_in_slowly(x, o, &p)) {
            return 0;
        }
    }
    if (x->array == (PyArrayObject *)o) { /* in place: its owner may drop it */
        part->object = Py_NewRef(o);
    }
    node->kind = FP_NODE_ARRAY;
    node->letter = letter;
    node->size = size;
    node->count = (size_t)x->shape[0];
    node->of.data = x->data;
    return 1;
}

/* ---- The alternatives of a variant -------------------------------------------------------------------- */

/* Whether it is a sequence of values, and not one value with characters. */
static FP_HELPER int
fp_is_sequence(PyObject *o)
{
    return PySequence_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o) && !PyDict_Check(o);
}

static FP_HELPER int
fp_is_mapping(PyObject *o)
{
    return PyDict_Check(o) || (!PyArray_Check(o) && PyObject_HasAttrString(o, "items"));
}

static FP_HELPER int fp_fits_nested(const char *type, PyObject *o);

static FP_HELPER int
fp_fits_integer(char letter, int size, PyObject *o)
{
    unsigned long long max = fp_integer_max(fp_numpy_type(letter, size));
    int overflow, fits;
    long long value;
    PyObject *integer = PyNumber_Index(o);
    if (integer == NULL) {
        PyErr_Clear();
        return 0;
    }
    value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    fits = overflow < 0    ? 0
           : overflow == 0 ? (letter == 'u' ? value >= 0 && (unsigned long long)value <= max
                                            : value >= -(long long)max - 1 && (value < 0 || (unsigned long long)value <= max))
                           : letter == 'u' && size == 8;
    Py_DECREF(integer);
    return fits ? 2 : 0;
}

/* The number of values of a sequence; -1: it has none. */
static FP_HELPER Py_ssize_t
fp_count_nested(PyObject *o)
{
    Py_ssize_t count = PyObject_Size(o);
    if (count < 0) {
        PyErr_Clear();
    }
    return count;
}

/* How well the values of a sequence fit: as well as the worst of them. If `is_tuple`, their types follow one another. An
 * exception is ignored: it is raised again when the value is read. */
static FP_HELPER int
fp_fits_all(const char *type, PyObject *o, int is_tuple)
{
    Py_ssize_t k, count = fp_count_nested(o);
    int worst = 2;
    for (k = 0; k < count && worst > 0; k++) {
        PyObject *one = PySequence_GetItem(o, k);
        int fits = one == NULL ? 2 : fp_fits_nested(type, one);
        if (one == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(one);
        worst = fits < worst ? fits : worst;
        type = is_tuple ? fp_after_node(type) : type;
    }
    return worst;
}

/* The keys and values of a mapping, pairs in a tuple; NULL with an exception. */
static FP_HELPER PyObject *
fp_items_of(PyObject *o)
{
    PyObject *listed = PyMapping_Items(o), *items = listed == NULL ? NULL : PySequence_Tuple(listed);
    Py_XDECREF(listed);
    return items;
}

static FP_HELPER int
fp_fits_items(const char *type, PyObject *o)
{
    PyObject *items = fp_items_of(o);
    Py_ssize_t k;
    int worst = 2;
    if (items == NULL) {
        PyErr_Clear();
        return 2;
    }
    for (k = 0; k < fp_tuple_size(items) && worst > 0; k++) {
        PyObject *pair = fp_tuple_item(items, k);
        int fits = PyTuple_Check(pair) && fp_tuple_size(pair) == 2 ? fp_fits_all(type, pair, 1) : 0;
        worst = fits < worst ? fits : worst;
    }
    Py_DECREF(items);
    return worst;
}

/* How well a value fits: 2 for one of exactly this type, 1 for one that is converted, 0 for others. */
static FP_HELPER int
fp_fits_nested(const char *type, PyObject *o)
{
    char letter = *type++;
    int best = 0, fits, is_bool = PyBool_Check(o) || PyArray_IsScalar(o, Bool);
    switch (letter) {
    case 'n': return o == Py_None ? 2 : 0;
    case 'b': return is_bool ? 2 : 0;
    case 's': return PyUnicode_Check(o) ? 2 : 0;
    case 'i': case 'u':
        fits = PyIndex_Check(o) ? fp_fits_integer(letter, fp_node_size(&type), o) : 0;
        return fits > 0 && is_bool ? 1 : fits;
    case 'f':
        if (PyFloat_Check(o) || PyArray_IsScalar(o, Floating)) {
            return 2;
        }
        return !PyComplex_Check(o) && !PyArray_Check(o) && (fp_has_float(o) || PyIndex_Check(o)) ? 1 : 0;
    case 'c':
        if (PyComplex_Check(o) || PyArray_IsScalar(o, ComplexFloating)) {
            return 2;
        }
        return !PyArray_Check(o) && (fp_has_float(o) || PyIndex_Check(o)) ? 1 : 0;
    case 'a':
        letter = *type++;
        if (PyArray_Check(o)) {
            PyArrayObject *array = (PyArrayObject *)o;
            int to = fp_numpy_type(letter, fp_node_size(&type)), from = fp_canonical_type(PyArray_DESCR(array));
            return PyArray_NDIM(array) != 1 ? 0 : from == to ? 2 : PyArray_CanCastSafely(PyArray_DESCR(array)->type_num, to);
        }
        return fp_is_sequence(o) && !fp_is_mapping(o) && fp_fits_all(type - 1, o, 0) > 0 ? 1 : 0;
    case 'l': return fp_is_sequence(o) && !fp_is_mapping(o) ? fp_fits_all(type, o, 0) : 0;
    case 'm': return fp_is_mapping(o) ? fp_fits_items(type, o) : 0;
    case 'k':
        fits = fp_is_sequence(o) && fp_count_nested(o) == fp_node_size(&type);
        return fits ? fp_fits_nested(type, o) : 0;
    case 'o': return o == Py_None ? 2 : fp_fits_nested(type, o);
    case 't':
        if (!fp_is_sequence(o) || fp_count_nested(o) != (Py_ssize_t)fp_count_nodes(type)) {
            return 0;
        }
        fits = fp_fits_all(type, o, 1);
        return fits == 2 && !PyTuple_Check(o) ? 1 : fits;
    default:
        for (; *type != 'e'; type = fp_after_node(type)) {
            fits = fp_fits_nested(type, o);
            best = fits > best ? fits : best;
        }
        return best;
    }
}

/* ---- Arguments ------------------------------------------------------------------------------------- */

static FP_HELPER int fp_read_nested(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o,
                                    const fp_nested_path *path);

static FP_HELPER int
fp_read_nested_list(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    PyObject *values = fp_is_sequence(o) && !fp_is_mapping(o) ? PySequence_Tuple(o) : NULL;
    fp_nested_path inner = {path, "", 0};
    if (values == NULL) {
        return fp_wanted_nested(r, path, "l", o);
    }
    if (!fp_add_nodes(r, node, FP_NODE_LIST, values, fp_tuple_size(values), 1)) {
        return 0;
    }
    for (; inner.index < (Py_ssize_t)node->count; inner.index++) {
        PyObject *one = fp_tuple_item(values, inner.index);
        if (!fp_read_nested(r, &node->of.nodes[inner.index], type, one, &inner)) {
            return 0;
        }
    }
    return 1;
}

static FP_HELPER int
fp_read_nested_tuple(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    PyObject *values = fp_is_sequence(o) ? PySequence_Tuple(o) : NULL;
    fp_nested_path inner = {path, "", 0};
    Py_ssize_t count = (Py_ssize_t)fp_count_nodes(type);
    if (values == NULL) {
        return fp_wanted_nested(r, path, "t", o);
    }
    if (fp_tuple_size(values) != count) {
        fp_message name;
        fp_param p = fp_name_path(r, path, 0, &name);
        Py_ssize_t found = fp_tuple_size(values);
        Py_DECREF(values);
        return fp_error(PyExc_ValueError, &p, "wanted %zd values, got %zd", count, found);
    }
    if (!fp_add_nodes(r, node, FP_NODE_TUPLE, values, count, 1)) {
        return 0;
    }
    for (; inner.index < count; inner.index++) {
        if (!fp_read_nested(r, &node->of.nodes[inner.index], type, fp_tuple_item(values, inner.index), &inner)) {
            return 0;
        }
        type = fp_after_node(type);
    }
    return 1;
}

static FP_HELPER int
fp_read_nested_map(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    PyObject *items = fp_is_mapping(o) ? fp_items_of(o) : NULL;
    const char *of = fp_after_node(type);
    fp_nested_path key = {path, ".keys()", 0}, value = {path, ".values()", 0};
    Py_ssize_t k;
    if (items == NULL) {
        return fp_wanted_nested(r, path, "m", o);
    }
    if (!fp_add_nodes(r, node, FP_NODE_MAP, items, fp_tuple_size(items), 2)) {
        return 0;
    }
    for (k = 0; k < (Py_ssize_t)node->count; k++) {
        PyObject *pair = fp_tuple_item(items, k);
        if (!PyTuple_Check(pair) || fp_tuple_size(pair) != 2) {
            return fp_wanted_nested(r, path, "m", o);
        }
        key.index = value.index = k;
        if (!fp_read_nested(r, &node->of.nodes[2 * k], type, fp_tuple_item(pair, 0), &key)
            || !fp_read_nested(r, &node->of.nodes[2 * k + 1], of, fp_tuple_item(pair, 1), &value)) {
            return 0;
        }
    }
    return 1;
}

static FP_HELPER int
fp_read_nested_variant(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    const char *one = type, *chosen = NULL;
    int best = 0, k, choice = 0;
    for (k = 0; *one != 'e'; one = fp_after_node(one), k++) {
        int fits = fp_fits_nested(one, o);
        if (fits > best) {
            best = fits;
            chosen = one;
            choice = k;
        }
    }
    if (chosen == NULL) {
        return fp_wanted_nested(r, path, type - 1, o);
    }
    node->choice = choice;
    return fp_read_nested(r, node, chosen, o, path);
}

/* An array or a list with as many values as the type has. */
static FP_HELPER int
fp_read_nested_sized(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    Py_ssize_t count = fp_node_size(&type);
    fp_message name;
    fp_param p;
    if (!fp_read_nested(r, node, type, o, path) || node->count == (size_t)count) {
        return !PyErr_Occurred();
    }
    p = fp_name_path(r, path, 0, &name);
    return fp_error(PyExc_ValueError, &p, "wanted %zd values, got %zd", count, (Py_ssize_t)node->count);
}

/* Reads a value of the first type in a signature. */
static FP_HELPER int
fp_read_nested(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    Py_ssize_t length;
    char letter = *type++;
    switch (letter) {
    case 'n':
        return o == Py_None || fp_wanted_nested(r, path, "n", o);
    case 's':
        if (!PyUnicode_Check(o)) {
            return fp_wanted_nested(r, path, "s", o);
        }
        node->kind = FP_NODE_STRING;
        node->of.data = PyUnicode_AsUTF8AndSize(o, &length);
        if (node->of.data == NULL) {
            return fp_wanted_nested(r, path, "s", o);
        }
        node->count = (size_t)length;
        return 1;
    case 'a':
        letter = *type++;
        return fp_read_nested_array(r, node, letter, fp_node_size(&type), o, path);
    case 'o': return o == Py_None || fp_read_nested(r, node, type, o, path);
    case 'l': return fp_read_nested_list(r, node, type, o, path);
    case 't': return fp_read_nested_tuple(r, node, type, o, path);
    case 'm': return fp_read_nested_map(r, node, type, o, path);
    case 'k': return fp_read_nested_sized(r, node, type, o, path);
    case 'v': return fp_read_nested_variant(r, node, type, o, path);
    default: return fp_read_nested_number(r, node, letter, fp_node_size(&type), o, path);
    }
}

/* A nested value of this type. Whatever it returns, fp_release_nested must follow. */
static FP_HELPER int
fp_nested_in(fp_nested_value *x, PyObject *o, const fp_nested_param *p)
{
    fp_nested_reader r;
    fp_nested_path path = {NULL, "", 0};
    r.to = x;
    r.param = &p->param;
    return fp_read_nested(&r, &x->root, p->type, o, &path);
}

/* Sets a node that C++ has passed to a callback to a value that this returns; see fp_set_nested. */
static FP_UNUSED int
fp_take_nested(PyObject *value, fp_node *to, const char *(*set)(fp_node *to, const fp_node *from), const fp_nested_param *p)
{
    fp_nested_value x = FP_NO_NESTED;
    const char *why;
    int done = fp_nested_in(&x, value, p);
    if (done && (why = set(to, &x.root)) != NULL) {
        done = why[0] == 0 ? (PyErr_NoMemory(), 0) : fp_error(PyExc_ValueError, &p->param, "%s", why);
    }
    fp_release_nested(&x);
    return done;
}
