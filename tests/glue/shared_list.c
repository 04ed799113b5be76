#include <fishplate/python.h>

#include "shared_list.h"

void warn_in_another_file(void)
{
    FP_WARN(PyExc_DeprecationWarning, "from %s", "C");
}
