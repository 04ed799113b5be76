/* Text: tostring(t).
 *
 * `float64[2, 3] {{1, 2, 3}, {4, 5, 6}}`, matrices with a row a line. Long tensors show the ends of
 * each dimension. */
#include "library.h"

enum { SHOWN = 1000, EDGE = 3 };

/* Adds an element as it would be written in a script. */
static void
add_element(luaL_Buffer *b, int dtype, const char *from)
{
    char text[80];
    fp_number n;
    fp_load_element(dtype, from, &n);
    switch (n.kind) {
    case FP_TRUTH: snprintf(text, sizeof(text), "%s", n.i ? "true" : "false"); break;
    case FP_SIGNED: snprintf(text, sizeof(text), "%lld", (long long)n.i); break;
    case FP_UNSIGNED: snprintf(text, sizeof(text), "%llu", (unsigned long long)n.u); break;
    case FP_COMPLEX:
        snprintf(text, sizeof(text), dtype == FP_COMPLEX64 ? "%.7g%+.7gi" : "%.14g%+.14gi", n.re, n.im);
        break;
    default: snprintf(text, sizeof(text), dtype == FP_FLOAT32 ? "%.7g" : "%.14g", n.re);
    }
    luaL_addstring(b, text);
}

/* Adds the elements from dimension `axis` on. */
static void
add_elements(luaL_Buffer *b, const fp_tensor *t, const char *data, int axis)
{
    ptrdiff_t count, k;
    int indent;
    if (axis == t->ndim) {
        add_element(b, t->dtype, data);
        return;
    }
    count = t->shape[axis];
    luaL_addchar(b, '{');
    for (k = 0; k < count; k++) {
        if (k > 0) {
            luaL_addstring(b, axis + 1 == t->ndim ? ", " : ",\n");
            for (indent = axis + 1 == t->ndim ? 0 : axis + 1; indent > 0; indent--) {
                luaL_addchar(b, ' ');
            }
        }
        if (t->size > SHOWN && count > 2 * EDGE && k == EDGE) {
            luaL_addstring(b, "...");
            k = count - EDGE - 1;
            continue;
        }
        add_elements(b, t, data + k * t->strides[axis] * fp_dtype(t->dtype)->size, axis + 1);
    }
    luaL_addchar(b, '}');
}

int
fpl_tostring(lua_State *L)
{
    static const fp_where where = {"tostring", 1, "tensor"};
    const fp_tensor *t = fp_to_tensor(L, 1);
    char size[32];
    luaL_Buffer b;
    int axis;
    if (t == NULL) {
        fp_wanted(L, &where, "a tensor", 1);
    }
    luaL_buffinit(L, &b);
    luaL_addstring(&b, fp_dtype(t->dtype)->name);
    luaL_addchar(&b, '[');
    for (axis = 0; axis < t->ndim; axis++) {
        snprintf(size, sizeof(size), axis ? ", %lld" : "%lld", (long long)t->shape[axis]);
        luaL_addstring(&b, size);
    }
    luaL_addstring(&b, t->ndim > 1 && fp_is_filled(t) ? "]\n" : "] ");
    if (fp_is_filled(t)) {
        add_elements(&b, t, fp_data(t), 0);
    }
    else {
        luaL_addstring(&b, "(uninitialised)");
    }
    luaL_pushresult(&b);
    return 1;
}
