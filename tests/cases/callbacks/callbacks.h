typedef struct source source;
typedef struct {
    double (*function)(double x, void *params);
    void *params;
} curve;
typedef int (*row_callback)(void *data, int n, char **values, const char **names);

/* A context has its user-data getter and its data; a bus calls callbacks by name and number. */
typedef struct context context;
typedef struct bus bus;
typedef struct { double value; } token;
typedef int command(int count, int key);
typedef command *command_pointer;
typedef void (*handler)(context *ctx, int n, token **tokens);
enum kind { KIND_LOUD, KIND_QUIET = 7 };

double integrate(double (*f)(double x, void *data), void *data, double a, double b, int n);
int curve_root(const curve *f, double a, double b, double *x);
double curve_slope(const curve *f, const curve *g, double x);
int each_row(int n, row_callback row, void *data);
static inline long first(const double *x) { return (long)x[0]; }
int count_texts(const char **strings); /* up to a NULL */
void attributes(void (*f)(void *data, const char **strings, const double *x), void *data);
int euler(int steps, int n, void (*f)(double t, int n, const double *y, double *dydt, void *ctx), void *ctx, double *y);
void scale(int m, int n, void (*f)(int m, int n, double *a, const int *k, void *ctx), void *ctx, double *a);
long divide(long (*f)(long a, long b, long *rest, double *x, void *ctx), void *ctx, long a, long b, double *x);
void sort(int n, double *x, int (*order)(double a, double b));
int spell(int (*word)(const char *word, const void *raw, int n, void *ctx), void *ctx);
double minimize(double (*f)(double x, void *ctx), double (*gradient)(double x, void *ctx), void *ctx, double x);
double on_threads(int n, double (*f)(int k, void *ctx), void *ctx);
double twice(double f);
/* Functions as parameters, and types of functions. */
double area(double f(double x), double a, double b);
int run(command *first, command_pointer second, int key, command third);

source *source_new(void);
void source_free(source *source);
int source_listen(source *source, void (*heard)(struct source *from, int what, void *ctx), void *ctx);
int source_tell(source *source, int what);
void watch(int (*seen)(int what, void *ctx), void *ctx);
void unwatch(void);
int show(int what);

bus *bus_new(void);
void bus_free(bus *bus);
int bus_on(bus *bus, const char *name, int number, handler handler, void *app, void (*destroy)(void *app));
int bus_emit(bus *bus, const char *name, int number, double x, double *answer);
int bus_begin(bus *bus, const char *name, handler handler, void *app, double x, double *answer);
bus *bus_with(const char *name, handler handler, void *app);
int bus_open(const char *name, handler handler, void *app, bus **made);
void *context_data(context *ctx);
void context_fail(context *ctx, const char *why);
void context_answer(context *ctx, double x);
double token_value(token *t);
int ask(handler handler, void *app, double x, double *answer);
void on_kind(int (*seen)(int what, void *ctx), void *ctx, enum kind kind);
int emit_kind(enum kind kind, int what);
void off_kinds(void);
