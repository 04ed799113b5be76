-- The tensor library `fishplate`: `luarocks make` in this folder.
rockspec_format = '3.0'
package = 'fishplate'
version = 'scm-1'
-- Not an address, since none is published: get this folder, and make the rock in it.
source = {url = 'git+file://.'}
description = {
  summary = 'Tensors for Lua: typed, strided arrays of numbers.',
  detailed = 'What modules that Fishplate generates take and return. DLPack and a buffer interface included.',
  license = 'MIT OR Apache-2.0',
}
dependencies = {'lua >= 5.1, < 5.5'}
build = {
  type = 'make',
  build_variables = {
    CC = '$(CC)',
    CFLAGS = '$(CFLAGS)',
    LUA_CFLAGS = '-I$(LUA_INCDIR)',
    SHARED = '$(LIBFLAG) -Wl,-z,nodelete',
    OUT = 'build',
  },
  install_pass = false,
  install = {lib = {fishplate = 'build/fishplate.so'}},
}
