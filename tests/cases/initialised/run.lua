local i = require 'initialised'
assert(i.state() == 107)
i.prepare()
assert(i.state() == 7)
