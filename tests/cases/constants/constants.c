#include "constants.h"
#include <stddef.h>

static const kind taus = {"taus"};
struct mark_of { int number; };
static struct mark_of other = {7};

const char LIB_NAME[] = "lib";
const long lib_count = 3;
const kind *lib_default = &taus;
kind *const lib_none = NULL;
mark lib_other = &other;

const char *kind_name(const kind *k)
{
    return k->name;
}

int mark_number(mark m)
{
    return m->number;
}
