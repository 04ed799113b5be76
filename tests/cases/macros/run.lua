local m = require 'macros'

assert(m.square(3) == 9 and m.square(1.5) == 2.25)
assert(m.half(3) == 1.5 and m.plain(1) == 2 and m.renamed(1) == 3)
