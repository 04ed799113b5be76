-- Purpose: `require 'cwrap'`, as later scripts have it: the same module, and no global.

return require 'wrap.module'
