local m = require 'threads'

local a, b = m.Box(), m.Box()
assert(a:work() == 1 and a:both(b) == 1 and a:part():work() == 1 and a:shared() == 1)
assert(m.work() == 1 and m.work_more() == 1 and m.work_alone() == 1 and m.work_freely() == 1)
assert(m.most_at_once() == 1)
m.forget()
assert(m.text() == '' and m.memory(3)[1] == 0)
m.Token():close()
collectgarbage()
assert(m.most_at_once() == 1)
m.forget()
assert(m.most_at_once() == 0)
