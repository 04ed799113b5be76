-- Purpose: `require 'wrap'`, as the scripts of Torch's first years use it: the module is returned,
-- and is the global `wrap`.

wrap = require 'wrap.module'

return wrap
