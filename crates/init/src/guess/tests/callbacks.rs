use super::*;

#[test]
fn callbacks_with_their_data_and_how_long() {
    for (function, guessed) in [
        (
            "double integrate(double (*f)(double x, void *p), void *p, double a, double b);",
            "double integrate(double (*f)(double x, void *p), void *p, double a, double b)",
        ),
        (
            "typedef int (*row_f)(void *, int, char **, char **);
             int db_exec(db *d, row_f each, void *data);",
            "status int db_exec(db *d, int (*each)(void *data, int arg2, char *arg3[arg2], \
             char *arg4[arg2]), void *data)",
        ),
        (
            "void db_set_handler(db *d, void (*f)(void *data, const char *message), void *data);",
            "void db_set_handler(db *d, keep(d) void (*f)(void *data, const char *message), void *data)",
        ),
        (
            "void db_add_rule(db *d, double (*f)(double x, void *data), void *data, double weight);",
            "void db_add_rule(db *d, keep(d) double (*f)(double x, void *data), void *data, double weight)",
        ),
        (
            "typedef struct { double (*function)(double x, void *params); void *params; } curve;
             double slope(const curve *c, double x);",
            "double slope(const curve *c, double x)",
        ),
        ("int each(int (*f)(int n));", "int each(int (*f)(int n))"),
        (
            "typedef const char *name(int k, void *data); int longest(int n, name *f, void *data);",
            "int longest(int n, const char *(*f)(int k, void *data), void *data)",
        ),
        ("double area(double f(double x), double a);", "double area(double (*f)(double x), double a)"),
        (
            "typedef int command(int key); typedef command other, *commands;
             int run(command *f, commands g, other h, int n);",
            "int run(int (*f)(int key), int (*g)(int key), int (*h)(int key), int n)",
        ),
        (
            "typedef double mapper(double x, void *data); typedef struct { void *data; mapper *map; } mapping;
             double apply(const mapping *m, double x);",
            "double apply(const mapping *m, double x)",
        ),
    ] {
        assert_eq!(proto(&format!("{OBJECTS} {function}")), guessed);
    }
}

#[test]
fn callbacks_that_are_left_out() {
    for (function, reason) in [
        ("typedef int command(int key); int run(command **f);", "`f` is a pointer to pointers"),
        (
            "void db_set_names(db *d, const char *(*f)(int k, void *data), void *data);",
            "`f` is a callback: the returned pointer has no known owner or length",
        ),
        (
            "int complete(char *(*f)(int k));",
            "`f` is a callback: the returned pointer has no known owner or length",
        ),
        ("typedef int (*command)(int key); int run(command *f);", "`f` is a pointer to a callback"),
    ] {
        assert_eq!(left_out(&format!("{OBJECTS} {function}")), reason, "{function}");
    }
}
