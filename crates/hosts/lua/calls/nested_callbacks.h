/* Nested values that callbacks return to C++.
 *
 * An object among them is passed as an argument of a call is: C++ copies it, counts a reference, takes it over, or stores
 * its address; then the object with the callback retains it. */

/* The object retains this one for the parameter already. */
static FP_HELPER int
fp_retains(const fp_handle *by, const fp_handle *handle, const void *p)
{
    const fp_callback *one = by->callbacks;
    while (one != NULL && (one->edge.owner != handle || one->of != FP_AS_KEPT(p))) {
        one = one->next;
    }
    return one != NULL;
}

/* Retains objects, of which C++ stores the addresses, for the one with the callback: as long as that exists. The values
 * are in the table at `anchor`. */
static FP_HELPER void
fp_retain_returned(lua_State *L, const fp_nested_value *x, int anchor, fp_handle *by, const fp_nested_param *p)
{
    const fp_nested_use *use;
    for (use = x->uses; use != NULL; use = use->next) {
        fp_callback *kept;
        if (use->use != FP_USE_RETAINED || use->handle == by) {
            continue;
        }
        if (by == NULL) {
            fp_error(L, &p->param.where, "the object that would retain it is being released");
        }
        if (!fp_retains(by, use->handle, p)) {
            lua_rawgeti(L, anchor, use->at);
            kept = fp_retain_handle(L, NULL, lua_gettop(L), use->handle, by, NULL, 0, (const fp_handle_param *)(const void *)p);
            fp_begin_retaining_in_handle(L, by, kept);
            fp_leave_callback(kept);
            lua_settop(L, anchor);
        }
    }
}

/* Sets a node that C++ has passed to a callback to a value that this returns; see fp_set_nested. `by` has the callback. */
static FP_UNUSED void
fp_take_nested(lua_State *L, int slot, fp_node *to, const char *(*set)(fp_node *to, const fp_node *from), fp_handle *by,
               const fp_nested_param *p)
{
    fp_nested_value x = FP_NO_NESTED;
    fp_not_consumed refused = {NULL, 0, NULL};
    fp_consumed taken[1];
    const char *why = NULL;
    fp_nested_in(L, &x, slot, p);
    fp_retain_returned(L, &x, lua_gettop(L), by, p);
    taken[0].handle = NULL;
    taken[0].array = x.taken;
    taken[0].param = &p->param;
    taken[0].is_destroyed = 0;
    fp_check_consumed(L, taken, 1);
    fp_check_handles_of_nested(L, &x, p);
    fp_pin_handles_of_nested(&x);
    refused = fp_consume(L, taken, 1);
    if (refused.why == NULL) {
        why = set(to, &x.root);
    }
    fp_unpin_handles_of_nested(&x);
    if (refused.why != NULL) {
        fp_refuse_consumed(L, &refused);
    }
    if (why != NULL) {
        fp_error(L, &p->param.where, "%s", why[0] == 0 ? "not enough memory" : why);
    }
}
