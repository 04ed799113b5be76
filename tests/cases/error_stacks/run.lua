local e = require 'error_stacks'
local raises = require('support').raises

assert(e.fail(0) == nil)
raises('fail(): the third; the second; the first', e.fail, 4)
raises('quiet(): quiet returned status -1', e.quiet, 0)
e.quiet(1)
raises('quiet(): quiet returned status -1', e.quiet, 0)
raises('numbers(): no room; not found', e.numbers, 5)
raises('buffer(): problem 1; problem 2; problem 3', e.buffer, 3)
raises('one(): 2 failed: -1', e.one, 2)
raises('numbered(): a message of its own', e.numbered, 2)
raises('Thing(): no thing', e.Thing, 1)
raises('Thing.set(): negative', e.Thing().set, e.Thing(), -1)

-- Messages are truncated after a whole character.
for bytes = 1, 4 do
  local text = ('x'):rep(bytes) .. ('\195\164'):rep(math.floor((508 - bytes) / 2)) .. '\226\128\166'
  raises('long(): ' .. text, e.long, bytes)
  local whole = ('x'):rep(bytes) .. ('\195\164'):rep(math.floor((511 - bytes) / 2))
  raises('full(): ' .. ((511 - bytes) % 2 == 0 and whole or text), e.full, bytes)
end
