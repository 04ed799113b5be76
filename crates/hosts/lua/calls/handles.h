/* Handles: opaque objects of a library, as userdata.
 *
 * A handle has a C pointer, which is released once: when the handle has been closed or collected,
 * no handle that refers to it has a pointer any more (Lua finalizes those first: they are younger),
 * and no call of C is using it.
 *
 * A call pins its handles from right before C is called until right after it has returned. Nothing
 * raises in between, so that no longjmp can skip the end of a pin. Before and after, scripts run
 * only in Lua's collector: fp_check_handle and fp_check_object detect handles that a finalizer has
 * closed. */

typedef struct {
    const char *name;        /* "stats.Rng", also of the metatable in the registry */
    void (*destroy)(void *); /* NULL: the library owns the objects */
    const fp_base *bases;    /* NULL: it has none */
    int is_tracked;          /* C may destroy an object of it, or of a related class, that it owns */
    void (*abandon)(void *); /* the state is closed, and C++ shares an object with overrides; NULL: it shares none */
    int needs_context;       /* `destroy` is called with an `fp_in_context` */
} fp_handle_class;

/* One object refers to another: it is among the other's dependents, as long as it may be used. */
typedef struct fp_edge {
    struct fp_handle *dependent, *owner;
    struct fp_edge *next, **at;
} fp_edge;

typedef struct fp_handle {
    const fp_handle_class *of;
    void *pointer; /* NULL: not yet, or no longer */
    void *taken;   /* the pointer of a consumed object */
    void *context; /* the pointer that the destructor needs, too */
    int uses;      /* by handles that refer to this one, by tensors on its memory, and by running calls of C */
    int views;     /* of these uses, by tensors */
    fp_edge *dependents;
    struct fp_handle *ended, **ended_at; /* the next one that a call closes, and the pointer to this one in that
                                            list */
    int module_uses; /* of these uses, by the module, which end when the state is closed */
    int shares;    /* by __atomic only: uses by std::shared_ptr of C++, which may end on any thread */
    int is_anchored; /* it is in the table of those that C++ may share */
    int is_owned;  /* the handle owns the pointer */
    int is_closed; /* it accepts no new uses */
    int is_consumed; /* it is closed, since C has taken over its object */
    struct fp_callback *callbacks; /* which C may call as long as the object exists */
    struct fp_user_data *user_data; /* of the object, which leads to them; NULL: each has its own */
    int kept;      /* the number of values in its table of references; this many edges follow */
} fp_handle;

static inline fp_edge *
fp_edges(fp_handle *handle)
{
    return (fp_edge *)(void *)(handle + 1);
}

/* The parameter table for a handle. */
typedef struct {
    fp_param param;
    const fp_handle_class *of;
} fp_handle_param;

/* At the place of the dtype in other parameters. */
enum { FP_TYPE_HANDLE = 100 };

/* The metatable of each class has its address as a key. */
FP_GLOBAL char fp_handle_mark;

/* The handle of any class at `slot`, or NULL. */
static FP_HELPER fp_handle *
fp_to_any_handle(lua_State *L, int slot)
{
    int is_handle;
    if (lua_type(L, slot) != LUA_TUSERDATA || !lua_getmetatable(L, slot)) {
        return NULL;
    }
    lua_pushlightuserdata(L, &fp_handle_mark);
    lua_rawget(L, -2);
    is_handle = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return is_handle ? (fp_handle *)lua_touserdata(L, slot) : NULL;
}

/* The handle of this class at `slot`, or of one that is derived from it, or NULL. The metatable of a derived class
 * has the address of each base as a key. */
static FP_HELPER fp_handle *
fp_to_handle(lua_State *L, int slot, const fp_handle_class *of)
{
    fp_handle *handle;
    int same;
    if (lua_type(L, slot) != LUA_TUSERDATA || !lua_getmetatable(L, slot)) {
        return NULL;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, of->name);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (!same) {
        lua_pushlightuserdata(L, (void *)of);
        lua_rawget(L, -2);
        same = lua_toboolean(L, -1);
        lua_pop(L, 1);
        lua_pop(L, 1);
        return same ? (fp_handle *)lua_touserdata(L, slot) : NULL;
    }
    lua_pop(L, 1);
    handle = (fp_handle *)lua_touserdata(L, slot);
    return handle->of == of ? handle : NULL;
}

/* The pointer to the object as one of a class: its own, or a base. */
static FP_UNUSED void *
fp_pointer_of(const fp_handle *handle, const fp_handle_class *of)
{
    void *pointer = handle->pointer;
    if (FP_UNLIKELY(handle->of != of)) {
        (void)fp_upcast(handle->of->bases, of, &pointer);
    }
    return pointer;
}

static FP_NORETURN void
fp_refuse_closed(lua_State *L, const fp_handle *handle, const fp_handle_param *p)
{
    fp_error(L, &p->param.where, handle->is_consumed ? "this %s was consumed: C owns it" : "this %s is closed",
             fp_last_name(p->of->name));
}

/* ---- Objects with overrides that C++ shares ---------------------------------------------------------
 *
 * A std::shared_ptr of C++ is a use of the handle, which ends on any thread, without Lua. So a handle that a call may share
 * is in a table, until it is seen that no std::shared_ptr exists. */

/* The address is the key of the table in the registry: the handles by their addresses. */
FP_GLOBAL char fp_shared_handles;

/* By __atomic only: a std::shared_ptr may have ended. */
FP_GLOBAL char fp_has_unshared;

static void fp_free_handle(lua_State *L, fp_handle *handle);

static FP_COLD void
fp_add_anchor(lua_State *L, int slot, fp_handle *handle)
{
    lua_pushvalue(L, slot);
    lua_pushlightuserdata(L, &fp_shared_handles);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushlightuserdata(L, &fp_shared_handles);
        lua_pushvalue(L, -2);
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
    lua_pushlightuserdata(L, handle);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
    handle->is_anchored = 1;
}

/* Adds a handle to the table, if C++ may share its object. */
static inline void
fp_anchor_handle(lua_State *L, int slot, fp_handle *handle)
{
    if (FP_UNLIKELY(handle->of->abandon != NULL) && handle->callbacks != NULL && !handle->is_anchored) {
        fp_add_anchor(L, slot, handle);
    }
}

/* Removes from the table the handles that C++ does not share, and releases those that are closed. */
static FP_HELPER void
fp_release_unshared(lua_State *L)
{
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 5)) {
        return; /* a later call releases them */
    }
    __atomic_store_n(&fp_has_unshared, 0, __ATOMIC_RELEASE);
    lua_pushlightuserdata(L, &fp_shared_handles);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_pushnil(L);
    while (lua_istable(L, top + 1) && lua_next(L, top + 1) != 0) {
        fp_handle *handle = (fp_handle *)lua_touserdata(L, -1);
        if (__atomic_load_n(&handle->shares, __ATOMIC_ACQUIRE) == 0) {
            handle->is_anchored = 0;
            lua_pushvalue(L, -2);
            lua_pushnil(L);
            lua_rawset(L, top + 1);
            fp_free_handle(L, handle);
            /* A destructor may call Lua, which may add handles: the traversal begins again. */
            lua_settop(L, top + 1);
            lua_pushnil(L);
            continue;
        }
        lua_pop(L, 1);
    }
    lua_settop(L, top);
}

/* The call no longer needs a handle that it might have shared. */
static inline void
fp_end_anchor(lua_State *L, const fp_handle *handle)
{
    if (handle->is_anchored || __atomic_load_n(&fp_has_unshared, __ATOMIC_RELAXED)) {
        fp_release_unshared(L);
    }
}

/* The caller's handle, with its pointer. */
static FP_UNUSED fp_handle *
fp_take_handle(lua_State *L, int slot, const fp_handle_param *p)
{
    fp_handle *handle = fp_to_handle(L, slot, p->of);
    fp_message t;
    if (FP_LIKELY(handle != NULL && !handle->is_closed)) {
        fp_anchor_handle(L, slot, handle);
        return handle;
    }
    if (handle != NULL) {
        fp_refuse_closed(L, handle, p);
    }
    fp_begin(&t, &p->param.where);
    fp_append(&t, "wanted a %s, got ", fp_last_name(p->of->name));
    fp_append_value(L, &t, slot);
    fp_raise(L, &t);
}

/* ---- During a call --------------------------------------------------------------------------------- */

/* A finalizer may have closed a handle of the call. NULL: the call has none. */
static inline void
fp_check_handle(lua_State *L, const fp_handle *handle, const fp_handle_param *p)
{
    if (FP_UNLIKELY(handle != NULL && handle->is_closed)) {
        fp_refuse_closed(L, handle, p);
    }
}

/* After the call: its object still exists. */
static inline void
fp_check_object(lua_State *L, const fp_handle *handle, const fp_handle_param *p)
{
    if (FP_UNLIKELY(handle != NULL && handle->pointer == NULL)) {
        fp_refuse_closed(L, handle, p);
    }
}

static inline void
fp_pin_handle(fp_handle *handle)
{
    if (handle != NULL) {
        handle->uses++;
    }
}

/* Releases nothing yet: C's result may be part of the object. */
static inline void
fp_unpin_handle(fp_handle *handle)
{
    if (handle != NULL) {
        handle->uses--;
    }
}

/* The call no longer needs its handle, which a callback may have closed. */
static inline void
fp_release_pinned(lua_State *L, fp_handle *handle)
{
    if (FP_UNLIKELY(handle != NULL && handle->is_closed)) {
        fp_free_handle(L, handle);
    }
    if (handle != NULL) {
        fp_end_anchor(L, handle);
    }
}

/* ---- Releasing ------------------------------------------------------------------------------------ */

/* Releases the object of C. */
static FP_HELPER void
fp_destroy_now(const fp_handle *handle, void *pointer)
{
    fp_in_context both;
    both.object = pointer;
    both.context = handle->context;
    handle->of->destroy(handle->of->needs_context ? &both : pointer);
}

static void fp_destroy(lua_State *L, const fp_handle *handle, void *pointer);
static FP_UNUSED void fp_drop_callbacks(lua_State *L, struct fp_callback **list);
static FP_UNUSED void fp_drop_user_data(lua_State *L, struct fp_user_data **first);

/* Ends a use that began with fp_add_edge. */
static FP_HELPER void
fp_end_edge(lua_State *L, fp_edge *edge)
{
    fp_handle *owner = edge->owner;
    *edge->at = edge->next;
    if (edge->next != NULL) {
        edge->next->at = edge->at;
    }
    owner->uses--;
    fp_free_handle(L, owner);
}

/* Ends a use by the module. NULL: there is none. */
static FP_HELPER void
fp_end_module_use(lua_State *L, fp_handle *handle)
{
    if (handle != NULL && handle->module_uses > 0) {
        handle->module_uses--;
        handle->uses--;
        fp_free_handle(L, handle);
    }
}

/* Releases the pointer of a handle, once, when nothing uses it. Objects to which it refers still
 * exist, because of its table of references. */
static FP_HELPER void
fp_free_handle(lua_State *L, fp_handle *handle)
{
    fp_edge *edge = fp_edges(handle), *end = edge + handle->kept;
    void *pointer = handle->pointer;
    if (!handle->is_closed || handle->uses > 0 || __atomic_load_n(&handle->shares, __ATOMIC_ACQUIRE) > 0) {
        return;
    }
    handle->pointer = NULL;
    handle->kept = 0;
    if (pointer != NULL && handle->is_owned && handle->of->destroy != NULL) {
        fp_destroy(L, handle, pointer);
    }
    fp_drop_callbacks(L, &handle->callbacks);
    fp_drop_user_data(L, &handle->user_data);
    for (; edge < end; edge++) {
        if (edge->owner != NULL) {
            fp_end_edge(L, edge);
        }
    }
}

/* Closes a handle, also one that a call is about to destroy. */
static FP_HELPER void
fp_close(lua_State *L, fp_handle *handle)
{
    if (handle->ended_at != NULL) {
        *handle->ended_at = handle->ended;
        if (handle->ended != NULL) {
            handle->ended->ended_at = handle->ended_at;
        }
        handle->ended_at = NULL;
    }
    handle->is_closed = 1;
    fp_free_handle(L, handle);
}

/* ---- New handles ----------------------------------------------------------------------------------- */

/* The address is the key, in the registry, of a table: its keys are the handles of tracked classes, weakly. */
FP_GLOBAL char fp_tracked;

static inline void
fp_push_tracked(lua_State *L)
{
    lua_pushlightuserdata(L, &fp_tracked);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

/* Adds the handle on top of the stack to those that are tracked. */
static FP_HELPER void
fp_track(lua_State *L)
{
    fp_push_tracked(L);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        lua_newtable(L);
        lua_pushliteral(L, "k");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_replace(L, -2);
        lua_pushlightuserdata(L, &fp_tracked);
        lua_pushvalue(L, -2);
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Pushes a handle without a pointer, with space for its references. Returns its index. */
static FP_UNUSED int
fp_push_handle(lua_State *L, const fp_handle_class *of, int needs)
{
    size_t size = sizeof(fp_handle) + (size_t)needs * sizeof(fp_edge);
    fp_handle *handle = (fp_handle *)fp_new_userdata(L, size, needs > 0);
    memset(handle, 0, size);
    handle->of = of;
    lua_getfield(L, LUA_REGISTRYINDEX, of->name);
    lua_setmetatable(L, -2);
    if (needs > 0) {
        lua_newtable(L);
        fp_set_kept(L, -2);
    }
    if (FP_UNLIKELY(of->is_tracked)) {
        fp_track(L);
    }
    return lua_gettop(L);
}

/* Adds an object to the dependents of another one, of which it holds a use. */
static inline void
fp_add_edge(fp_edge *edge, fp_handle *dependent, fp_handle *owner)
{
    edge->dependent = dependent;
    edge->owner = owner;
    edge->next = owner->dependents;
    edge->at = &owner->dependents;
    if (edge->next != NULL) {
        edge->next->at = &edge->next;
    }
    owner->dependents = edge;
    owner->uses++;
}

/* Makes the object of the handle at `at` refer to the value at `slot`, and, if that is a handle, to its
 * object. */
static FP_UNUSED void
fp_keep(lua_State *L, int at, int slot, fp_handle *other)
{
    fp_handle *handle = (fp_handle *)lua_touserdata(L, at);
    fp_push_kept(L, at);
    lua_pushvalue(L, slot);
    lua_rawseti(L, -2, handle->kept + 1);
    lua_pop(L, 1);
    if (other != NULL) {
        fp_add_edge(fp_edges(handle) + handle->kept, handle, other);
    }
    handle->kept++;
}

/* The same for the memory of an array: of the value that exports it, or of the copy that C uses. */
static FP_UNUSED void
fp_keep_array(lua_State *L, int at, fp_array *x)
{
    int slot = x->held & FP_TEMPORARY ? x->temporary : x->slot;
    if (slot != 0) {
        fp_keep(L, at, slot, NULL);
        x->held &= ~FP_TEMPORARY;
    }
}

/* Specifies the object that the destructor of a new object needs, to which the new object refers. */
static FP_UNUSED void
fp_set_context(lua_State *L, int at, const fp_handle *context, const fp_handle_class *of)
{
    fp_handle *handle = (fp_handle *)lua_touserdata(L, at);
    handle->context = context == NULL ? NULL : fp_pointer_of(context, of);
}

/* Sets the pointer of the handle at `at`. */
static FP_UNUSED void
fp_receive_handle(lua_State *L, int at, const void *pointer, int is_owned)
{
    fp_handle *handle = (fp_handle *)lua_touserdata(L, at);
    handle->pointer = (void *)pointer;
    handle->is_owned = is_owned;
}

/* Releases an object that the call has created and that is not needed any more. */
static FP_UNUSED void
fp_release_handle(lua_State *L, int at)
{
    fp_close(L, (fp_handle *)lua_touserdata(L, at));
}

static FP_NORETURN void
fp_no_object(lua_State *L, const char *function, const char *c_name, const char *what)
{
    fp_message t = {"", 0};
    fp_append(&t, "%s(): %s %s", function, c_name, what);
    fp_raise(L, &t);
}

/* Pushes the handle as a result, or nil if it has no object. */
static FP_UNUSED void
fp_return_handle(lua_State *L, int at)
{
    if (((const fp_handle *)lua_touserdata(L, at))->pointer == NULL) {
        lua_pushnil(L);
    }
    else {
        lua_pushvalue(L, at);
    }
}

/* ---- Objects that C destroys ----------------------------------------------------------------------- */

/* Collects at `last` the handles that refer to an object. For the object that a call names, only
 * those that were borrowed from it, and not the one that the call is about to create. */
static FP_HELPER fp_handle **
fp_add_ended(fp_handle **last, const fp_handle *handle, int only_borrowed)
{
    fp_edge *edge;
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        fp_handle *one = edge->dependent;
        if (one->ended_at == NULL && !(only_borrowed && (one->is_owned || one->pointer == NULL))) {
            one->ended = NULL;
            one->ended_at = last;
            *last = one;
            last = &one->ended;
        }
    }
    return last;
}

/* All handles that a call invalidates, as a list; NULL: none. */
static FP_HELPER fp_handle *
fp_find_ended(const fp_handle *of, fp_handle **first)
{
    fp_handle *one, **last = fp_add_ended(first, of, 1);
    for (one = *first; one != NULL; one = one->ended) {
        last = fp_add_ended(last, one, 0);
    }
    return *first;
}

/* Returns the reason why the first of these cannot be closed now; NULL: all can. The list is empty
 * afterwards. */
static FP_HELPER const fp_handle *
fp_forget_ended(fp_handle *first, const char **why)
{
    const fp_handle *busy = NULL;
    while (first != NULL) {
        fp_handle *one = first;
        const fp_edge *edge;
        int uses = one->uses - one->views;
        for (edge = one->dependents; edge != NULL; edge = edge->next) {
            uses--;
        }
        if (busy == NULL && (uses > 0 || one->views > 0)) {
            busy = one;
            *why = one->views > 0 ? "a tensor views memory of" : "another call uses";
        }
        first = one->ended;
        one->ended = NULL;
        one->ended_at = NULL;
    }
    return busy;
}

/* Prepares for a call that destroys the objects borrowed from an object; refused if some of them are in
 * use elsewhere. Unreachable tensors are collected first. NULL: no object. */
static FP_UNUSED void
fp_check_borrowed(lua_State *L, const fp_handle *of, const fp_handle_param *p)
{
    const char *why = "";
    int turn;
    for (turn = 0; of != NULL; turn++) {
        fp_handle *first = NULL;
        const fp_handle *busy = fp_forget_ended(fp_find_ended(of, &first), &why);
        if (of->views > 0) {
            busy = of;
            why = "a tensor views memory of";
        }
        if (busy == NULL) {
            return;
        }
        if (turn > 0) {
            fp_error(L, &p->param.where, "%s %s %s, which this call ends", why, busy == of ? "this" : "a borrowed",
                     fp_last_name(busy->of->name));
        }
        lua_gc(L, LUA_GCCOLLECT, 0);
        fp_check_handle(L, of, p);
    }
}

/* Closes the objects borrowed from an object, and all that refer to it. After C has returned, this
 * includes objects that callbacks have borrowed during the call, which have nothing to release. */
static FP_UNUSED void
fp_close_borrowed(lua_State *L, const fp_handle *of, int has_returned)
{
    fp_handle *first = NULL, *one;
    if (of == NULL || fp_find_ended(of, &first) == NULL) {
        return;
    }
    for (one = first; one != NULL; one = one->ended) {
        one->is_closed = 1; /* before anything runs that could use it */
        one->is_owned = one->is_owned && !has_returned;
    }
    while (first != NULL) {
        fp_close(L, first);
    }
}
