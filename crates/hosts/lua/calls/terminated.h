/* Terminated arrays: C finds the end of an array by an element that follows the last one, and works on a copy that has
 * it: a userdata on Lua's stack. */

static FP_HELPER char *
fp_new_terminated(lua_State *L, fp_array *x, size_t bytes)
{
    uintptr_t memory;
    luaL_checkstack(L, 1, "a terminated array");
    memory = (uintptr_t)fp_new_userdata(L, bytes + 15, 0);
    x->tensor = NULL;
    x->held = 0;
    x->slot = lua_gettop(L);
    return (char *)((memory + 15) / 16 * 16);
}

/* Moves an array to memory with one more element. */
static FP_UNUSED void
fp_terminate(lua_State *L, fp_array *x, const void *end, size_t size)
{
    size_t bytes = (size_t)x->shape[0] * size;
    fp_array before = *x;
    char *memory = fp_new_terminated(L, x, bytes + size);
    if (bytes > 0) {
        memcpy(memory, before.data, bytes);
    }
    memcpy(memory + bytes, end, size);
    fp_release(L, &before);
    x->data = memory;
}

/* Takes rows, and copies them, each with one more element, to memory that begins with the pointers to them. */
static FP_UNUSED void
fp_take_terminated_rows(lua_State *L, fp_array *x, int slot, fp_take_row take, const void *end, size_t size,
                        const fp_param *p)
{
    fp_array rows;
    ptrdiff_t k, count;
    size_t before, bytes;
    void **pointers;
    char *to;
    fp_take_rows(L, &rows, slot, take, p);
    fp_array_clear(x);
    count = rows.shape[0];
    before = ((size_t)count * sizeof(void *) / 16 + 1) * 16;
    bytes = before;
    for (k = 0; k < count; k++) {
        size_t length = (size_t)fp_jagged_row(&rows, k)->shape[0] + 1;
        if (length > (INT_MAX - bytes) / size) {
            fp_error(L, &p->where, "the rows are too long");
        }
        bytes += length * size;
    }
    to = fp_new_terminated(L, x, bytes);
    pointers = (void **)(void *)to;
    to += before;
    for (k = 0; k < count; k++) {
        size_t length = (size_t)fp_jagged_row(&rows, k)->shape[0] * size;
        pointers[k] = to;
        if (length > 0) {
            memcpy(to, fp_jagged_row(&rows, k)->data, length);
        }
        memcpy(to + length, end, size);
        to += length + size;
    }
    pointers[count] = NULL;
    fp_release_jagged(L, &rows);
    x->shape[0] = count;
    x->data = pointers;
}
