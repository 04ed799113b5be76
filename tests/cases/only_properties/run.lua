local m = require 'only_properties'

assert(m.Counter(3).value == 3)
