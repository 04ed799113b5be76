local m = require 'intents_value'
local raises = require('support').raises

assert(m.implied(5, 3) == 2 and m.written(5, 3) == 2)
assert(m.half_hidden(5) == 2.5 and m.all_hidden() == 2 and m.zero(5) == 5)

-- Hidden arguments cannot be passed; nil at the end is ignored.
assert(m.half_hidden(5, nil) == 2.5)
raises('half_hidden(a) takes 1 argument, got 2', m.half_hidden, 5, 3)
raises('all_hidden() takes 0 arguments, got 1', m.all_hidden, 5)
