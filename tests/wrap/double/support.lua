-- Purpose: helpers of the scripts that test wrappers.

local support = {}

-- Calls `f`; it must fail, with `message` somewhere in its error message, verbatim.
function support.fails(message, f, ...)
   local done, said = pcall(f, ...)
   assert(not done, 'it did not fail: ' .. message)
   if not said:find(message, 1, true) then
      error('it said\n' .. said .. '\nnot\n' .. message, 2)
   end
end

function support.same(got, wanted)
   if type(wanted) == 'table' then
      assert(type(got) == 'table' and #got == #wanted, 'another length')
      for i, value in ipairs(wanted) do
         support.same(got[i], value)
      end
   elseif got ~= wanted then
      error('it is ' .. tostring(got) .. ', not ' .. tostring(wanted), 2)
   end
end

return support
