local member = require 'outer.inner.member'
assert(member.one() == 1)
-- The annotations next to the module are not loaded in its place.
assert(not package.searchpath or not package.searchpath('outer.inner.member', package.path))
