import resource
import sys

import cplusplus_stored as m

reported = []
sys.unraisablehook = lambda error: reported.append(str(error.exc_value))


def peak() -> int:
    """The most memory so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


page = m.Page()
assert page.sum() == 1 << 18
page.close()
assert reported == []

# An exception of a destructor is reported, and the memory is freed: 256 KiB each.
before = peak()
for _ in range(400):
    page = m.Page()
    page.tear()
    page.close()
assert len(reported) == 400 and "the page is torn" in reported[0], reported[:1]
if "libasan" not in open("/proc/self/maps").read():  # it keeps memory that was freed
    assert peak() - before < 50 << 20, peak() - before
