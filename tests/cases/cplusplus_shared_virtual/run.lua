local m = require "cplusplus_shared_virtual"
local raises = require("support").raises

local function collect()
    collectgarbage()
    collectgarbage()
    collectgarbage()
end

-- C++ has the object alone, and calls its overrides.
local root = m.Node(1)
root:add(m.Node(2, function() return 20 end))
root:add(m.Node(3, nil, function(depth) return depth .. "b" end))
collect()
assert(m.count() == 3 and root:sum() == 24)
assert(root:at(0):value() == 20 and root:at(1):name(2) == "2b" and root:at(0):name(2) == "..node")
assert(root:first():value() == 20 and #root:all() == 2 and root:all()[1]:value() == 20)
root:clear()
collect()
assert(m.count() == 1)
local above, top = m.Node(0), m.Node(1, function() return 7 end)
above:add(top)
top:add(m.Node(2))
assert(top:itself():value() == 7 and top:at(0):up():value() == 7)
local child = top:at(0)
above, top = nil, nil
collect()
assert(child:up() == nil)
local both = m.Node(4, nil, nil, function(other) return other:value() + 1 end)
assert(both:combine(child) == 3)
child, both, root = nil, nil, nil
collect()
assert(m.count() == 0)
raises("the weight is negative", m.Node, -1, function() return 1 end)
collect()
assert(m.count() == 0)

local queue = m.Queue()
queue:push(m.Task(function(x) return x + 1 end))
queue:push_all({m.Twice(), m.Task(function(x) return x * 10 end)})
collect()
assert(queue:run(1) == 40 and queue:owners() == 1)
local last = queue:last()
last:close()
assert(queue:run(1) == 40)
local task = m.Task(function(x) error("no") end)
queue:push(task)
task:close()
raises("Task.run(): argument 'self': this Task is closed", task.run, task, 1)
raises("...", queue.run, queue, 1)
queue:drop_elsewhere()
collect()
assert(queue:size() == 0 and queue:last() == nil)
for k = 1, 200 do
    queue:push(m.Task(function(x) return x + k end))
    if k % 20 == 0 then queue:drop_elsewhere() end
end
queue = nil
collect()
raises("tree::Task::run is pure virtual, and not overridden", m.Task().run, m.Task(), 1)
m.set_registered(m.Task(function(x) return x + 5 end))
collect()
assert(m.run_registered(1) == 6)
