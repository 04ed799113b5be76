local e = require "enums_of_c"

local function refused(text, f, ...)
  local done, message = pcall(f, ...)
  assert(not done and message:find(text, 1, true), message)
end

assert(e.Color.RED == 1 and e.Color.GREEN == 2 and e.Color.AMBER == 7 and e.Color.DARK == -1)
assert(e.Mode.READ == 1 and e.Mode.WRITE == 2 and e.Level.HIGH == 200)
assert(e.next() == e.Color.GREEN and e.next(e.Color.GREEN) == e.Color.AMBER)
assert(e.raw(e.Color.DARK) == -1 and e.maybe() == -100 and e.maybe(7) == 7)
assert(e.from_raw(2) == e.Color.GREEN and e.from_raw(99) == 99 and e.turn(1, 1) == 2)
assert(e.merge(e.Mode.READ, e.Mode.WRITE) == 3 and e.limit(250) == e.Level.HIGH)
refused("next(): argument 'c': 5 is not a member of Color (RED, GREEN, AMBER, DARK)", e.next, 5)
refused("next(): argument 'c': wanted a value of Color (RED, GREEN, AMBER, DARK), got string", e.next, "RED")
refused("shade(): argument 'c': wanted a value of Color (RED, GREEN, AMBER, DARK), got nil", e.shade, nil, 2)
refused("argument 'c'", e.next, 1.5)
refused("is out of range for Mode", e.merge, 2 ^ 40, 1)
assert(e.name(1) == 10 and e.name("A") == 65)
assert(e.light(2) == e.Color.GREEN and e.check(0) == nil)
refused("light(): it is dark", e.light, -1)
refused("check(): color_of returned status -1", e.check, -1)
assert(e.shade(e.Color.AMBER, 2) == 14)
assert(e.tint(e.Color.AMBER, 2) == 14)
