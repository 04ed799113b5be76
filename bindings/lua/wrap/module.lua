-- Purpose: the module that `require 'wrap'` and `require 'cwrap'` return.
-- Invariant: `types`, `argtypes` and `CInterface.argtypes` are one table. Scripts add to it, and
-- earlier interfaces see the additions.

local CInterface = require 'wrap.interface'

return {
   CInterface = CInterface,
   types = CInterface.argtypes,
   argtypes = CInterface.argtypes,
   explain = require('wrap.unreached').explain,
}
