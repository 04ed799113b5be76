-- `wrap`, also as `cwrap`: `luarocks make wrap-scm-1.rockspec` in this folder.
rockspec_format = '3.0'
package = 'wrap'
version = 'scm-1'
-- Not an address, since none is published: get the folder, and make the rock in it.
source = {url = 'git+file://.'}
description = {
  summary = 'Wrappers in C for Lua, from a script: torch\'s wrap, with better code.',
  detailed = 'Scripts written for torch\'s `wrap` and `cwrap` run as they are. Needs nothing but Lua.',
  license = 'MIT OR Apache-2.0',
}
dependencies = {'lua >= 5.1, < 5.5'}
build = {
  type = 'builtin',
  modules = {
    ['cwrap'] = 'cwrap.lua',
    ['wrap'] = 'wrap.lua',
    ['wrap.arguments'] = 'wrap/arguments.lua',
    ['wrap.bodies'] = 'wrap/bodies.lua',
    ['wrap.callbacks'] = 'wrap/callbacks.lua',
    ['wrap.choice'] = 'wrap/choice.lua',
    ['wrap.conditions'] = 'wrap/conditions.lua',
    ['wrap.defaults'] = 'wrap/defaults.lua',
    ['wrap.earliest'] = 'wrap/earliest.lua',
    ['wrap.interface'] = 'wrap/interface.lua',
    ['wrap.macros'] = 'wrap/macros.lua',
    ['wrap.module'] = 'wrap/module.lua',
    ['wrap.plan'] = 'wrap/plan.lua',
    ['wrap.positions'] = 'wrap/positions.lua',
    ['wrap.runtime'] = 'wrap/runtime.lua',
    ['wrap.shapes'] = 'wrap/shapes.lua',
    ['wrap.shared'] = 'wrap/shared.lua',
    ['wrap.tests'] = 'wrap/tests.lua',
    ['wrap.text'] = 'wrap/text.lua',
    ['wrap.types'] = 'wrap/types.lua',
    ['wrap.types.number'] = 'wrap/types/number.lua',
    ['wrap.types.tensor'] = 'wrap/types/tensor.lua',
    ['wrap.unreached'] = 'wrap/unreached.lua',
    ['wrap.values'] = 'wrap/values.lua',
    ['wrap.variants'] = 'wrap/variants.lua',
    ['wrap.wrapper'] = 'wrap/wrapper.lua',
  },
}
