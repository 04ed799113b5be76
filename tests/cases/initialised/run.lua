local i = require 'initialised'
assert(i.state() == 107)
kept = i.Session()
i.Session():close()
if os.getenv 'REPORT' then
    return
end
i.prepare()
assert(i.state() == 7)

-- Objects are released before the functions are called, each even if one fails.
for _, also in ipairs({"", "NOT_FINISHED=1 "}) do
    local ended = io.popen(("REPORT=1 %s'%s' '%s'"):format(also, arg[-1], arg[0]))
    local output = ended:read("*a")
    ended:close()
    assert(output == "finished: 1, sessions: 0\n", output)
end
