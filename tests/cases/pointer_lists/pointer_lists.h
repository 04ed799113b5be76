#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pl_node pl_node;
typedef struct pl_tree pl_tree;
typedef struct {
    size_t count;
    char **paths;
} pl_matches;

long pl_alive(void);
void pl_release(void *memory);
void pl_release_text(char *text);
void pl_free_words(char **words);

char **pl_words(const char *text, size_t *n);
char **pl_terminated(const char *text);
const char **pl_block(const char *text, int *n);
const char *const *pl_constants(void);
const char *const *pl_some(int n);
char **pl_loose(void);
char **pl_broken(int kind, int *n);
int pl_split(const char *text, int code, char ***parts, int *n, const char *const **other);
int pl_glob(const char *pattern, pl_matches *found);

pl_node **pl_nodes(int n, int count);
pl_node **pl_ended(int n);
int pl_set_nodes(int n, int code, pl_node ***nodes);
void pl_node_free(pl_node *node);
int pl_value(const pl_node *node);
pl_tree *pl_tree_new(int children);
void pl_tree_free(pl_tree *tree);
pl_node **pl_children(pl_tree *tree, int *n);
pl_node *const *pl_all_children(const pl_tree *tree);
pl_node **pl_shared(int n);

#ifdef __cplusplus
}
#endif
