local m = require 'cplusplus_stored'

local page = m.Page()
assert(page:sum() == 2 ^ 18)
page:close()
