local member = require 'outer.inner.member'
assert(member.one() == 1)
-- The annotations beside the module are not taken for it.
assert(not package.searchpath or not package.searchpath('outer.inner.member', package.path))
