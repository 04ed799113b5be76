/* Arrays of pointers that C has allocated, as tables: of strings, which are copied, and of objects.
 *
 * The storage that owns the array frees it, and the strings and objects that the caller owns. An object that has a Lua
 * object belongs to that. Objects get theirs from the last to the first, so that the storage frees those before it. */

/* After the call: the memory has its owner, as does each of `count` items. */
static FP_UNUSED void
fp_set_list_owner(fp_received *h, const void *all, ptrdiff_t count)
{
    fp_set_owner(h, all);
    h->tensor->storage->size = count < 0 ? 0 : (size_t)count;
}

/* Pushes an empty table for `count` items, and returns its place; 0: the value is nil. */
static FP_HELPER int
fp_begin_list(lua_State *L, fp_received *h, void *const *all, ptrdiff_t count, int nullable, const fp_param *p)
{
    ptrdiff_t k;
    (void)fp_receive_shape(L, &count, p);
    if (all == NULL && (nullable || p->ndim == 0 || count > 0) && !fp_receive_null(L, h, all, nullable, p)) {
        return 0;
    }
    for (k = 0; k < count; k++) {
        if (all[k] == NULL) {
            fp_error(L, &p->where, "C returned NULL as item %lld", (long long)k + 1);
        }
    }
    if (count > INT_MAX - 1) {
        fp_error(L, &p->where, "the array is too long for a table");
    }
    luaL_checkstack(L, 8, "a table");
    lua_createtable(L, (int)count, 0);
    return lua_gettop(L);
}

static FP_UNUSED void
fp_receive_strings(lua_State *L, fp_received *h, const char *const *all, ptrdiff_t count, int nullable, const fp_param *p)
{
    int table = fp_begin_list(L, h, (void *const *)all, count, nullable, p);
    ptrdiff_t k;
    if (table != 0) {
        for (k = 0; k < count; k++) {
            lua_pushstring(L, all[k]);
            lua_rawseti(L, table, (int)(k + 1));
        }
        fp_release_received(L, h);
        h->slot = table;
    }
}

/* Destroys an object that has no Lua object. */
static FP_UNUSED void
fp_destroy_object(const fp_handle_class *of, void *pointer)
{
    if (pointer != NULL && of->destroy != NULL) {
        of->destroy(pointer);
    }
}

/* `owners` are the objects that each of them needs. */
static FP_UNUSED void
fp_receive_objects(lua_State *L, fp_received *h, void *const *all, ptrdiff_t count, const fp_handle_class *of,
                   int is_owned, const fp_viewed *owners, int needs, int nullable, const fp_param *p)
{
    int table = fp_begin_list(L, h, all, count, nullable, p), i;
    ptrdiff_t k;
    if (table == 0) {
        return;
    }
    for (k = count; k > 0; k--) {
        int made = fp_push_handle(L, of, needs);
        for (i = 0; i < needs; i++) {
            if (owners[i].handle != NULL && owners[i].handle->pointer == NULL) { /* by a finalizer, since C has returned */
                fp_error(L, &p->where, "its owner was closed");
            }
            fp_keep(L, made, owners[i].slot, owners[i].handle);
        }
        fp_receive_handle(L, made, all[k - 1], is_owned);
        if (h->tensor != NULL) {
            h->tensor->storage->size = (size_t)(k - 1);
        }
        lua_rawseti(L, table, (int)k);
    }
    fp_release_received(L, h);
    h->slot = table;
}
