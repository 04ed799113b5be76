/* The functions that joined_c.toml wraps: functions of C that use the glue headers. */
#include <fishplate/python.h>

static inline int c_warn(int count)
{
    int i;
    for (i = 0; i < count; i++) FP_WARN(PyExc_UserWarning, "warning %d of %d", i + 1, count);
    return count;
}

/* Has no return code: the exception that is set is raised. */
static inline int c_check(int x)
{
    FP_CHECK_VALUE_OR(return -1, x >= 0, "%d is negative", x);
    return x;
}

static inline int c_status(int x)
{
    FP_CHECK_INDEX_OR(return -1, x < 10, "%d is past the end", x);
    return 0;
}
