#include "pointer_lists.h"

#include <stdlib.h>
#include <string.h>

struct pl_node {
    int value;
};

struct pl_tree {
    pl_node **nodes;
};

/* Of any thread. */
static long count;

long pl_alive(void) { return __atomic_load_n(&count, __ATOMIC_SEQ_CST); }

static void *taken(size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return malloc(size > 0 ? size : 1);
}

void pl_release(void *memory) {
    __atomic_sub_fetch(&count, 1, __ATOMIC_SEQ_CST);
    free(memory);
}

void pl_release_text(char *text) { pl_release(text); }

void pl_free_words(char **words) {
    int k;
    for (k = 0; words[k] != NULL; k++) {
        pl_release(words[k]);
    }
    pl_release(words);
}

static size_t words_in(const char *text) {
    size_t k, n = 0;
    for (k = 0; text[k] != 0; k++) {
        n += text[k] != ' ' && (k == 0 || text[k - 1] == ' ');
    }
    return n;
}

char **pl_words(const char *text, size_t *n) {
    size_t k;
    char **words;
    *n = words_in(text);
    if (strcmp(text, "none") == 0) {
        return NULL;
    }
    words = (char **)taken((*n + 1) * sizeof(char *));
    for (k = 0; k < *n; k++) {
        size_t length;
        text += strspn(text, " ");
        length = strcspn(text, " ");
        words[k] = (char *)taken(length + 1);
        memcpy(words[k], text, length);
        words[k][length] = 0;
        text += length;
    }
    words[k] = NULL;
    return words;
}

char **pl_terminated(const char *text) {
    size_t n;
    return pl_words(text, &n);
}

const char **pl_block(const char *text, int *n) {
    size_t size = strlen(text) + 1, k;
    const char **words;
    char *copy, *word;
    *n = (int)words_in(text);
    words = (const char **)taken((size_t)*n * sizeof(char *) + size);
    copy = (char *)(words + *n);
    memcpy(copy, text, size);
    for (k = 0, word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        words[k++] = word;
    }
    return words;
}

static const char *const constants[] = {"zero", "eins", "d\xc3\xa9ux", NULL};

const char *const *pl_constants(void) { return constants; }

const char *const *pl_some(int n) { return n == 0 || n > 3 ? NULL : constants; }

char **pl_loose(void) {
    static char *loose[2];
    loose[0] = strcpy((char *)taken(2), "a");
    loose[1] = strcpy((char *)taken(2), "b");
    return loose;
}

char **pl_broken(int kind, int *n) {
    size_t size;
    char **words = pl_words(kind == 0 ? "" : "a b c", &size);
    *n = kind == 0 ? -1 : 3;
    if (kind == 1) {
        words[1][0] = '\xff';
    }
    if (kind == 2) {
        pl_release(words[2]);
        words[2] = NULL;
    }
    return words;
}

int pl_split(const char *text, int code, char ***parts, int *n, const char *const **other) {
    size_t size;
    *parts = pl_words(text, &size);
    *n = (int)size;
    *other = NULL;
    if (code != 7) {
        const char **all = (const char **)taken(sizeof(constants));
        memcpy(all, constants, sizeof(constants));
        *other = (const char *const *)all;
    }
    return code == 7 ? 0 : code;
}

int pl_glob(const char *pattern, pl_matches *found) {
    found->paths = pl_words(pattern, &found->count);
    return strcmp(pattern, "a bad one") == 0;
}

static pl_node *node(int value) {
    pl_node *made = (pl_node *)taken(sizeof(pl_node));
    made->value = value;
    return made;
}

pl_node **pl_nodes(int n, int count) {
    int k;
    pl_node **nodes;
    (void)count;
    if (n < 0) {
        return NULL;
    }
    nodes = (pl_node **)taken(((size_t)n + 1) * sizeof(pl_node *));
    for (k = 0; k < n; k++) {
        nodes[k] = n == 20 && k == 13 ? NULL : node(k);
    }
    nodes[n] = NULL;
    return nodes;
}

pl_node **pl_ended(int n) { return pl_nodes(n, n); }

int pl_set_nodes(int n, int code, pl_node ***nodes) {
    *nodes = pl_nodes(n, n);
    return code;
}

void pl_node_free(pl_node *node) { pl_release(node); }

int pl_value(const pl_node *node) { return node->value; }

pl_tree *pl_tree_new(int children) {
    pl_tree *tree = (pl_tree *)taken(sizeof(pl_tree));
    tree->nodes = pl_nodes(children, children);
    return tree;
}

void pl_tree_free(pl_tree *tree) {
    int k;
    for (k = 0; tree->nodes[k] != NULL; k++) {
        pl_release(tree->nodes[k]);
    }
    pl_release(tree->nodes);
    pl_release(tree);
}

pl_node **pl_children(pl_tree *tree, int *n) {
    pl_node **copy;
    for (*n = 0; tree->nodes[*n] != NULL; ++*n) {
    }
    copy = (pl_node **)taken((size_t)(*n + 1) * sizeof(pl_node *));
    memcpy(copy, tree->nodes, (size_t)*n * sizeof(pl_node *));
    return copy;
}

pl_node *const *pl_all_children(const pl_tree *tree) { return tree->nodes; }

pl_node **pl_shared(int n) {
    static pl_node shared[2] = {{70}, {71}};
    int k;
    pl_node **nodes = (pl_node **)taken((size_t)n * sizeof(pl_node *));
    for (k = 0; k < n; k++) {
        nodes[k] = &shared[k % 2];
    }
    return nodes;
}
