/* Streams: C uses them during the call, or retains them. */
#include <stdio.h>
typedef struct tree tree;
tree *tree_new(void);
void tree_free(tree *t);
int tree_print(const tree *t, FILE *out);
int tree_set_log(tree *t, FILE *log);
int tree_open_file(tree *t, FILE *f);
size_t matrix_fwrite(FILE *stream, const double *x, size_t n);
FILE *tree_file(tree *t);
int lprintf(FILE *f, const char *format, ...);
