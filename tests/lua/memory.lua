-- Memory: when tensors and storages are collected.
local fp = require 'fishplate'

-- The collector counts the size of tensors: these are 16 GB, and the test allows 1.
for _ = 1, 2000 do
  local t = fp.zeros{1000, 1000}
  t[1][1] = 1
end

-- A finalizer may access a tensor that was finalized before it; it is not a tensor any more then.
if _VERSION ~= 'Lua 5.1' then
  local said
  do
    local holder = setmetatable({}, {__gc = function(self)
      local ok, message = pcall(function() return self.t[1] end)
      said = ok and 'read' or message
    end})
    holder.t = fp.zeros{3}
  end
  collectgarbage()
  collectgarbage()
  assert(said and said ~= 'read' and said:find('userdata'), said)
end

-- A finalizer may make tensors while the collector runs. (When a state is closed, Lua finalizes nothing
-- that a finalizer makes then.)
local function finalized(f)
  if newproxy then
    local object = newproxy(true)
    getmetatable(object).__gc = f
    return object
  end
  return setmetatable({}, {__gc = f})
end
local made, is_done = 0, false
for _ = 1, 200 do
  finalized(function()
    made = made + (is_done and 0 or #fp.zeros(100000))
  end)
  fp.zeros(100000)
end
collectgarbage()
collectgarbage()
assert(made >= 190 * 100000)
is_done = true

-- A view keeps the storage alive, even if the tensor that it was made from is gone.
local view
do
  local t = fp.range(1, 1000)
  view = t[{{500, 501}}]
end
collectgarbage()
for _ = 1, 10 do fp.zeros(1000) end
assert(view[1] == 500 and view[2] == 501)
