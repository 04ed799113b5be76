local m = require("cplusplus_streams")
local support = require("support")

local report = m.Report("squares")
assert(report:write(3) == "squares 0 1 2" or report:write(3) == "squares 0.0 1.0 2.0")
assert(report:read("one two  three") == 3 and report.title == "three")
local rows, log, count = m.table({ 1.5, 2 })
assert(count == 2 and rows == "1.5\n2\n" and log == "2 rows")
assert(m.copy("é\n") == "é\n" and m.copy("") == "")
support.raises("negative", report.write, report, -1)
assert(report:write(0) == "three\0")
local other = m.Report("")
report.scale = 2
assert(other.scale == 2 and other:write(2) == " 0 2")
-- A stream that is returned is the one that was passed; `operator<<` is `tostring`.
assert(other:print() == "!" and report:print() == "three!")
report.scale = 1
assert(tostring(report):match("^three 0") and tostring(report) == report:to_string())
support.raises("negative", tostring, other)
