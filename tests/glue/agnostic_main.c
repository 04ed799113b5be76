/* The library without Python: its warnings go to stderr. */
#include "agnostic.h"

int main(void)
{
    agnostic_work(2);
    return 0;
}
