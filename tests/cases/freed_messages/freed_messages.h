/* Messages that the caller frees, as those of CVodeGetReturnFlagName(). */
#include <stddef.h>

typedef struct { int last; } session;
typedef struct { double scale; } gauge;

/* Each is a new string, or NULL. */
char *fm_text(int status);
char *fm_session_text(const session *s);
const char *fm_retained(int status);
void fm_free(char *message);
/* How many messages are not freed. */
int fm_existing(void);

int fm_root(double x, double *y);
int fm_bare(int status);
int fm_warns(int status);
session *fm_open(int last);
void fm_close(session *s);
int fm_session_set(session *s, int status);
session *fm_session_other(const session *s);
/* Fails with the code that fm_gauge_refuse() has set, unless that is 0. */
int fm_gauge_init(gauge *g);
void fm_gauge_refuse(int code);
void fm_gauge_clear(gauge *g);
double fm_gauge_scale(const gauge *g);
/* Errors on a stack: `n` of them. */
int fm_fails(int n);
int fm_next(void);
void fm_walk(void (*each)(int code, void *data), void *data);
