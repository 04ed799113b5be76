#include <math.h>

typedef struct opt opt;
typedef double (*opt_function)(unsigned n, const double *x, double *gradient, void *data);

opt *opt_new(unsigned n);
void opt_free(opt *o);
int opt_set_objective(opt *o, opt_function f, void *data);
int opt_add_constraint(opt *o, opt_function f, void *data, double tolerance); /* NULL: removes them */
int opt_minimize(opt *o, unsigned n, double *x, double *value);
int opt_force_stop(opt *o);
void opt_use_gradients(opt *o, int use);
opt *opt_with(unsigned n, opt_function f, void *data);
int rounds(int (*f)(int number, void *data), void *data, const char *name, const int *places, int n, double scale);
int stop_after(const int *places, int number);
double rounds_of(opt *o, double (*f)(int number, void *data), void *data, const char *name, double worst, float scale);
void note(const char *name);
int notes(void);
double opt_last(opt *o);
void on_step(void (*f)(int step, void *data), void *data);
void off_steps(void);
