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
    int use;          /* the object is a handle, of which a use is held, for this; or FP_USES */
    int has_handles;  /* the array is one of handles */
} fp_nested_part;

typedef struct {
    fp_node root;
    fp_nested_part *parts;
    Py_ssize_t uses[FP_USES];   /* of handles */
    fp_array *objects[FP_USES]; /* arrays of these, as fp_handles_in reads one; NULL: none */
} fp_nested_value;

#define FP_NO_NESTED {{FP_NODE_NONE, 0, 0, 0, 0, {0}}, NULL, {0, 0, 0}, {NULL, NULL, NULL}}

/* At the place of the NumPy type in other parameters. */
enum { FP_TYPE_NESTED = 1012 };

/* The state of the conversion of one argument. */
typedef struct {
    fp_nested_value *to;
    const fp_param *param;
    const void *const *classes;
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
fp_append_accepted(fp_message *t, const char *type, const void *const *classes)
{
    const char *after = type + 1;
    switch (*type) {
    case 'n': fp_append_string(t, "None"); break;
    case 'b': fp_append_string(t, "a bool"); break;
    case 'i': case 'u': fp_append_string(t, "an int"); break;
    case 'f': fp_append_string(t, "a float"); break;
    case 'c': fp_append_string(t, "a complex number"); break;
    case 's': fp_append_string(t, "a str"); break;
    case 'a': fp_append_string(t, "an array"); break;
    case 'l': fp_append_string(t, "a sequence"); break;
    case 'h': fp_append_string(t, "a set"); break;
    case 't': fp_append_string(t, "a tuple"); break;
    case 'm': fp_append_string(t, "a dict"); break;
    case 'x': case 'y': case 'z': fp_append(t, "a %s", fp_last_name(((const fp_handle_class *)classes[fp_node_size(&after)])->name)); break;
    case 'q': fp_append(t, "a %s", fp_last_name(((const fp_enum *)classes[fp_node_size(&after)])->name)); break;
    case 'r': fp_append(t, "a %s", fp_last_name(((const fp_struct *)classes[fp_node_size(&after)])->name)); break;
    case 'k':
        type++;
        fp_node_size(&type);
        fp_append_accepted(t, type, classes);
        break;
    case 'o':
        fp_append_accepted(t, type + 1, classes);
        fp_append_string(t, ", None");
        break;
    default: {
        const char *one = type + 1;
        for (; *one != 'e'; one = fp_after_node(one)) {
            fp_append_string(t, one == type + 1 ? "" : ", ");
            fp_append_accepted(t, one, classes);
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
    fp_append_accepted(&t, type, r->classes);
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
    part->use = FP_USES;
    part->has_handles = 0;
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
        if (part->use != FP_USES) {
            fp_drop_handle((fp_handle *)part->object);
        }
        Py_XDECREF(part->object);
        if (part->array != NULL && part->has_handles) {
            fp_release_handles(part->array);
        }
        else if (part->array != NULL) {
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

/* ---- Objects, members of enums, structs ----------------------------------------------------------------------- */

static FP_HELPER int
fp_read_nested_handle(const fp_nested_reader *r, fp_node *node, char letter, const fp_handle_class *of, PyObject *o,
                      const fp_nested_path *path)
{
    fp_nested_part *part = fp_add_nested_part(r, Py_NewRef(o), 0);
    if (part == NULL) {
        return 0;
    }
    if (!fp_is_handle(o, of) || !fp_begin_use((fp_handle *)o)) {
        fp_message name;
        fp_handle_param p;
        p.param = fp_name_path(r, path, FP_TYPE_HANDLE, &name);
        p.of = of;
        return fp_refuse_handle(o, &p);
    }
    part->use = fp_use_of(letter);
    r->to->uses[part->use]++;
    node->kind = FP_NODE_OBJECT;
    node->of.data = fp_pointer_of((fp_handle *)o, of);
    return 1;
}

static FP_HELPER int
fp_read_nested_enum(const fp_nested_reader *r, fp_node *node, const fp_enum *of, PyObject *o, const fp_nested_path *path)
{
    fp_message name;
    fp_enum_param p;
    long long value = 0;
    p.param = fp_name_path(r, path, FP_TYPE_ENUM, &name);
    p.param.size = of->size;
    p.of = of;
    return fp_read_enum(o, &value, &p) && fp_set_node(node, of->is_signed ? 'i' : 'u', of->size, &value);
}

static FP_HELPER int
fp_read_nested_struct(const fp_nested_reader *r, fp_node *node, const fp_struct *of, PyObject *o, const fp_nested_path *path)
{
    fp_message name;
    fp_struct_param p;
    fp_nested_part *part = fp_add_nested_part(r, NULL, (size_t)of->size);
    if (part == NULL) {
        return 0;
    }
    p.param = fp_name_path(r, path, FP_TYPE_STRUCT, &name);
    p.of = of;
    node->kind = FP_NODE_STRUCT;
    node->of.data = fp_memory_of(part);
    return fp_read_struct(o, fp_memory_of(part), &p);
}

/* Makes the handles that were read arrays: the call acquires the locks of some, and consumes others. */
static FP_HELPER int
fp_collect_handles(const fp_nested_reader *r)
{
    fp_nested_value *to = r->to;
    int use;
    for (use = 0; use < FP_USES; use++) {
        PyObject *all = to->uses[use] == 0 ? NULL : PyTuple_New(to->uses[use]);
        fp_nested_part *part = all == NULL ? NULL : fp_add_nested_part(r, NULL, sizeof(fp_array) + 16), *one;
        Py_ssize_t k = 0;
        if (part == NULL) {
            Py_XDECREF(all);
            if (to->uses[use] == 0) {
                continue;
            }
            return 0;
        }
        part->array = to->objects[use] = (fp_array *)fp_memory_of(part);
        part->has_handles = 1;
        fp_array_clear(part->array);
        for (one = part->next; one != NULL; one = one->next) {
            if (one->use == use) {
                fp_set_tuple_item(all, k++, one->object);
                one->object = NULL;
                one->use = FP_USES;
            }
        }
        part->array->shape[0] = to->uses[use];
        fp_own(part->array, (PyArrayObject *)all);
    }
    return 1;
}

/* ---- Arguments ------------------------------------------------------------------------------------- */

static FP_HELPER int fp_read_nested(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o,
                                    const fp_nested_path *path);

static FP_HELPER int
fp_read_nested_list(const fp_nested_reader *r, fp_node *node, const char *type, PyObject *o, const fp_nested_path *path)
{
    PyObject *values = fp_has_values(type[-1], o) ? PySequence_Tuple(o) : NULL;
    fp_nested_path inner = {path, "", 0};
    if (values == NULL) {
        return fp_wanted_nested(r, path, type - 1, o);
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
        int fits = fp_fits_nested(one, r->classes, o);
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
        node->of.data = fp_utf8_and_size(o, &length);
        if (node->of.data == NULL) {
            return fp_wanted_nested(r, path, "s", o);
        }
        node->count = (size_t)length;
        return 1;
    case 'a':
        letter = *type++;
        return fp_read_nested_array(r, node, letter, fp_node_size(&type), o, path);
    case 'o': return o == Py_None || fp_read_nested(r, node, type, o, path);
    case 'l': case 'h': return fp_read_nested_list(r, node, type, o, path);
    case 't': return fp_read_nested_tuple(r, node, type, o, path);
    case 'm': return fp_read_nested_map(r, node, type, o, path);
    case 'k': return fp_read_nested_sized(r, node, type, o, path);
    case 'v': return fp_read_nested_variant(r, node, type, o, path);
    case 'x': case 'y': case 'z':
        return fp_read_nested_handle(r, node, letter, (const fp_handle_class *)r->classes[fp_node_size(&type)], o, path);
    case 'q': return fp_read_nested_enum(r, node, (const fp_enum *)r->classes[fp_node_size(&type)], o, path);
    case 'r': return fp_read_nested_struct(r, node, (const fp_struct *)r->classes[fp_node_size(&type)], o, path);
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
    r.classes = p->of.classes;
    return fp_read_nested(&r, &x->root, p->of.type, o, &path) && fp_collect_handles(&r);
}

/* ---- Overloads and explanations --------------------------------------------------------------------- */

static inline fp_fit
fp_fit_nested(PyObject *o, const fp_param *p)
{
    const fp_nested_type *of;
    int fits;
    if (p->type != FP_TYPE_NESTED) {
        return FP_FIT_OF_KIND(o, p);
    }
    of = &((const fp_nested_param *)p)->of;
    fits = fp_fits_nested(of->type, of->classes, o);
    return fits == 2 ? FP_EXACT : fits == 1 ? FP_CASTS : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_nested

static inline const char *
fp_name_of_nested(int type)
{
    return type == FP_TYPE_NESTED ? "a container" : FP_NAME_OF_KIND(type);
}
#undef FP_NAME_OF_KIND
#define FP_NAME_OF_KIND fp_name_of_nested
