/* Errors: every message names the function, the argument, and the expected and the actual value.
 *
 * Messages are made in one buffer on the stack, which no longjmp can leak. Values are described by
 * type, arrays by dtype and shape; of their contents only single numbers. */

/* The argument that a message is about. */
typedef struct {
    const char *function; /* "fishplate.zeros" */
    int position;         /* 1 for the first; 0 without a position; or FP_BY_NAME */
    const char *name;     /* "shape"; with FP_BY_NAME, NULL for C's result */
} fp_where;

/* The position of an argument that messages call by its name, as those of other hosts do. */
enum { FP_BY_NAME = -1 };

/* Capacity of a message; longer ones are truncated. */
enum { FP_TEXT = 1024 };

typedef struct {
    char text[FP_TEXT];
    int length;
} fp_message;

static FP_COLD void
fp_append_list(fp_message *t, const char *format, va_list arguments)
{
    int room = FP_TEXT - t->length;
    int length = vsnprintf(t->text + t->length, (size_t)room, format, arguments);
    t->length = length < 0 || length >= room ? FP_TEXT - 1 : t->length + length;
}

__attribute__((format(printf, 2, 3))) static FP_COLD void
fp_append(fp_message *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fp_append_list(t, format, arguments);
    va_end(arguments);
}

/* A string as it is, which costs a tenth of formatting it. Hot, because cold functions are compiled to be
 * small, and such a copy costs more than these few characters do. */
__attribute__((hot, noinline, unused)) static void
fp_append_string(fp_message *t, const char *string)
{
    size_t length = strlen(string), room = (size_t)(FP_TEXT - 1 - t->length);
    length = length < room ? length : room;
    memcpy(t->text + t->length, string, length);
    t->length += (int)length;
}

/* "fishplate.zeros: argument 1 (shape): ", "matvec(): argument 'a': " */
static FP_COLD void
fp_begin(fp_message *t, const fp_where *where)
{
    t->length = 0;
    if (where->position == FP_BY_NAME) {
        fp_append_string(t, where->function);
        fp_append_string(t, where->name == NULL ? "(): the result" : "(): argument '");
        fp_append_string(t, where->name == NULL ? "" : where->name);
        fp_append_string(t, where->name == NULL ? ": " : "': ");
        return;
    }
    if (where->position > 0) {
        fp_append(t, "%s: argument %d (%s): ", where->function, where->position, where->name);
    }
    else {
        fp_append(t, "%s: %s: ", where->function, where->name);
    }
}

/* The stack level of the calling script: 2 if C has called back, 1 otherwise. */
FP_GLOBAL __thread int fp_level = 1;

/* Pushes the message, preceded by the place in the script that called. */
static FP_COLD void
fp_push_message(lua_State *L, const fp_message *t)
{
    luaL_where(L, fp_level);
    lua_pushlstring(L, t->text, (size_t)t->length);
    lua_concat(L, 2);
}

/* Raises it. Inlined: LuaJIT unwinds frame after frame, which is most of the cost of an error there. */
__attribute__((always_inline, noreturn, unused)) static inline void
fp_raise(lua_State *L, const fp_message *t)
{
    fp_push_message(L, t);
    lua_error(L);
    __builtin_unreachable();
}

/* "fishplate.zeros: argument 1 (shape): ..." */
__attribute__((format(printf, 3, 4))) static FP_NORETURN void
fp_error(lua_State *L, const fp_where *where, const char *format, ...)
{
    va_list arguments;
    fp_message t;
    fp_begin(&t, where);
    va_start(arguments, format);
    fp_append_list(&t, format, arguments);
    va_end(arguments);
    fp_raise(L, &t);
}

static FP_NORETURN void
fp_no_memory(lua_State *L, ptrdiff_t bytes)
{
    fp_message t = {"", 0};
    fp_append(&t, "not enough memory for a tensor of %lld bytes", (long long)bytes);
    fp_raise(L, &t);
}

/* "{3, 4}" */
static FP_COLD void
fp_append_shape(fp_message *t, int ndim, const ptrdiff_t *shape)
{
    int axis;
    fp_append(t, "{");
    for (axis = 0; axis < ndim; axis++) {
        fp_append(t, axis ? ", %lld" : "%lld", (long long)shape[axis]);
    }
    fp_append(t, "}");
}

static FP_COLD void
fp_append_tensor(fp_message *t, const fp_tensor *tensor)
{
    fp_append(t, "a tensor of %s and shape ", fp_dtype(tensor->dtype)->name);
    fp_append_shape(t, tensor->ndim, tensor->shape);
}

/* A number, of an integer all digits that 64 bits have. */
static FP_COLD void
fp_append_real(fp_message *t, double value)
{
    fp_append(t, floor(value) == value && fabs(value) < 0x1p65 ? "%.0f" : "%.14g", value);
}

static FP_UNUSED fp_tensor *fp_to_tensor(lua_State *L, int index);

static FP_COLD void
fp_append_value(lua_State *L, fp_message *t, int index)
{
    const fp_tensor *tensor;
    int type = lua_type(L, index);
    switch (type) {
    case LUA_TNONE: fp_append(t, "nothing"); return;
    case LUA_TNUMBER:
#if FP_LUA_INTEGERS
        if (lua_isinteger(L, index)) {
            fp_append(t, "%lld", (long long)lua_tointeger(L, index));
            return;
        }
#endif
        fp_append_real(t, lua_tonumber(L, index));
        return;
    case LUA_TUSERDATA:
        tensor = fp_to_tensor(L, index);
        if (tensor != NULL) {
            fp_append_tensor(t, tensor);
            return;
        }
        if (luaL_getmetafield(L, index, "__name")) {
            fp_append(t, "%s", lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "userdata");
            lua_pop(L, 1);
            return;
        }
        break;
    default: break;
    }
    fp_append_string(t, lua_typename(L, type));
}

/* "...: wanted <wanted>, got <the value at index>" */
static FP_NORETURN void
fp_wanted(lua_State *L, const fp_where *where, const char *wanted, int index)
{
    fp_message t;
    fp_begin(&t, where);
    fp_append(&t, "wanted %s, got ", wanted);
    fp_append_value(L, &t, index);
    fp_raise(L, &t);
}

/* "...: wanted <wanted>, got a tensor of float64 and shape {3, 4}" */
static FP_NORETURN void
fp_wanted_tensor(lua_State *L, const fp_where *where, const char *wanted, const fp_tensor *tensor)
{
    fp_message t;
    fp_begin(&t, where);
    fp_append(&t, "wanted %s, got ", wanted);
    fp_append_tensor(&t, tensor);
    fp_raise(L, &t);
}
