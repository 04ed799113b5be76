#include <complex.h>
#include <stdbool.h>

#define LIB_PI 3.14159265358979323846
#define LIB_BIG 0xFFFFFFFFFFFFFFFFu
#define LIB_SMALL (-0x7FFFFFFFFFFFFFFFLL - 1)
#define LIB_YES ((bool)1)
#define LIB_VERSION "1.2." "3"
#define LIB_NOTHING ((char *)0)
#define LIB_HALF 0.5f
#define LIB_I (1.0 + 2.0 * I)
#define LIB_LATIN "caf\xe9"
#define LIB_MAX(a, b) ((a) > (b) ? (a) : (b))

enum status { LIB_OK, LIB_EDOM = -33, LIB_FAST = 1 << 4 };

typedef struct kind { const char *name; } kind;
typedef struct mark_of *mark;

extern const char LIB_NAME[];
extern const long lib_count;
extern const kind *lib_default;
extern kind *const lib_none;
extern mark lib_other;

const char *kind_name(const kind *k);
int mark_number(mark m);
