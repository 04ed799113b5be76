-- Functions of Lua in SQL, each under its name; an order; a call for each row and for each change. Fails if
-- a result is wrong.
local sqlite = require 'sqlite'
local unpack = table.unpack or unpack

-- The values of the first row of the result of `sql`.
local function first(database, sql)
  local row
  database:exec(sql, function(values) row = row or values end)
  return row
end

-- Registers a function of numbers with SQL.
local function create_function(database, name, count, f)
  database:create_function(name, count, function(context, given)
    local numbers = {}
    for k, value in ipairs(given) do numbers[k] = value:float() end
    context:result(f(unpack(numbers)))
  end)
end

local database = sqlite.Database()
database:exec("create table place(id integer primary key, name, east); "
  .. "insert into place(name, east) values ('Oslo', 10.75), ('Zug', 8.5), ('Bern', 7.5)")

create_function(database, 'hypot', 2, function(x, y) return math.sqrt(x * x + y * y) end)
create_function(database, 'half', 1, function(x) return x / 2 end)
local row = first(database, 'select hypot(3, 4), half(east), half(half(1)) from place where id = 2')
assert(tonumber(row[1]) == 5 and row[2] == '4.25' and row[3] == '0.25')

database:create_collation('length', function(a, b) return #a - #b end)
assert(first(database, 'select name from place order by name collate length')[1] == 'Zug')

local changes = {}
database:on_update(function(how, _, name, id) changes[#changes + 1] = {how, name, id} end)
database:exec('update place set east = half(east) where id > 1')
assert(#changes == 2 and changes[1][1] == sqlite.UPDATE and changes[2][2] == 'place' and changes[2][3] == 3)

-- A function of the same name is replaced; nil removes it; functions of other names stay.
create_function(database, 'half', 1, function(x) return x / 4 end)
assert(first(database, 'select half(1)')[1] == '0.25')
database:create_function('half', 1, nil)
local good, why = pcall(first, database, 'select half(1)')
assert(not good and why:find('no such function: half', 1, true), why)
assert(tonumber(first(database, 'select hypot(6, 8)')[1]) == 10)

-- An error is raised by the call.
database:create_collation('length', function() error('no order', 0) end)
good, why = pcall(first, database, 'select name from place order by name collate length')
assert(not good and why == 'no order', why)

print('SQLite ' .. sqlite.version() .. ' calls Lua')
