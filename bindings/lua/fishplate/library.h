/* The library `fishplate`: tensors for Lua. The declarations that its files share.
 *
 * The library is thin: memory, numbers, copies, buffers and DLPack are the runtime's, which generated
 * modules carry too. The library adds the operations of scripts on tensors. */
#ifndef FISHPLATE_LIBRARY_H
#define FISHPLATE_LIBRARY_H

#include "fishplate_lua.h"

/* Functions of the module, methods and properties, by file. */
extern const luaL_Reg fpl_create_functions[];
extern const luaL_Reg fpl_exchange_functions[];
extern const luaL_Reg fpl_exchange_methods[];
extern const luaL_Reg fpl_index_methods[];
extern const luaL_Reg fpl_index_events[];
extern const luaL_Reg fpl_view_methods[];
extern const luaL_Reg fpl_value_methods[];
extern const luaL_Reg fpl_properties[];
int fpl_get(lua_State *L);      /* __index */
int fpl_tostring(lua_State *L); /* __tostring */
int fpl_equal(lua_State *L);    /* __eq */

/* ---- Arguments: each returns the value, or raises an error -------------------------------------- */

/* The tensor that a method is called on. */
fp_tensor *fpl_self(lua_State *L, const char *method);
/* A shape: a table of sizes, or one size. Returns its rank. */
int fpl_shape(lua_State *L, const fp_where *where, int index, ptrdiff_t *shape);
/* The name of a dtype; nil: `otherwise`. */
int fpl_dtype(lua_State *L, const fp_where *where, int index, int otherwise);
/* An integer from 1 to `count`, or from -count to -1 for the same from the end; returned from 0. */
ptrdiff_t fpl_place(lua_State *L, const fp_where *where, int index, ptrdiff_t count);
/* A place that is a dimension of `t`. */
int fpl_dimension(lua_State *L, const fp_where *where, int index, const fp_tensor *t);
/* Raises an error unless there is something to read, or all may be written to. */
const char *fpl_readable(lua_State *L, const fp_where *where, const fp_tensor *t);
char *fpl_writable(lua_State *L, const fp_where *where, const fp_tensor *t);
/* Whether the value at `index` is one element, and neither a tensor nor a list. */
int fpl_is_element(lua_State *L, int index);

/* ---- Functions of several files ----------------------------------------------------------------- */

/* first, last and step of a slice, from stack positions `at` on, applied to one dimension of `t`. */
void fpl_slice(lua_State *L, const fp_where *where, int at, fp_tensor *t, int axis);
/* A view without its dimension `axis`, at place `k` of it. */
void fpl_push_selected(lua_State *L, int index, int axis, ptrdiff_t k);
/* Writes the value at `index`: one element everywhere, or an array of the same shape. */
void fpl_assign(lua_State *L, const fp_where *where, const fp_tensor *to, int index);

#endif
