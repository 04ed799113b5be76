/* Nested values: sequences, tuples and maps of numbers, strings and arrays, as trees of nodes.
 *
 * The C++ code of a module and the runtimes of the target languages exchange such trees, and each of them knows only
 * its own containers. The type of a tree is its signature, a string:
 *
 *     b1 i4 u8 f8 c16   a bool, an integer, a real or a complex number, with its size in bytes
 *     s                 a string
 *     af8               an array of numbers
 *     lX                a list
 *     k3X               an array or a list of 3 values
 *     tXYe              a tuple
 *     mKX               a map
 *     oX                a value or none
 *     vXYe              a value of one of these types
 *     x0 y0 z0          an object of the first class of a table; C++ takes it over, or stores its address
 *     q1                a member of the enum that is the second one of the table
 *     r2                a struct, the third one
 *     n                 none */

typedef enum {
    FP_NODE_NONE,
    FP_NODE_BOOL,
    FP_NODE_SIGNED,
    FP_NODE_UNSIGNED,
    FP_NODE_REAL,
    FP_NODE_COMPLEX,
    FP_NODE_STRING,
    FP_NODE_ARRAY,
    FP_NODE_LIST,
    FP_NODE_TUPLE,
    FP_NODE_MAP, /* `count` keys, each followed by its value */
    FP_NODE_OBJECT,
    FP_NODE_STRUCT /* at an address, as C++ has it */
} fp_node_kind;

/* How C++ uses an object that it receives, as an index. */
enum { FP_USE_PASSED, FP_USE_TAKEN, FP_USE_RETAINED, FP_USES };

/* The use of an object, by its letter in a signature. */
static inline int
fp_use_of(char letter)
{
    return letter == 'x' ? FP_USE_PASSED : letter == 'y' ? FP_USE_TAKEN : FP_USE_RETAINED;
}

typedef struct fp_node {
    fp_node_kind kind;
    int choice;  /* the alternative of a variant, from 0 */
    char letter; /* of an array: the class of its elements, and their size */
    int size;
    size_t count; /* bytes of a string, elements of an array, values of others */
    union {
        long long integer;
        unsigned long long natural;
        double parts[2];
        const void *data;
        struct fp_node *nodes;
    } of;
} fp_node;

/* Reads the size in a signature, after its letter. */
static inline int
fp_node_size(const char **type)
{
    int size = 0;
    while (**type >= '0' && **type <= '9') {
        size = 10 * size + (*(*type)++ - '0');
    }
    return size;
}

/* The end of the first type in a signature. */
static FP_UNUSED const char *
fp_after_node(const char *type)
{
    switch (*type++) {
    case 'n': case 's': return type;
    case 'a': case 'o': case 'l': case 'h': return fp_after_node(type);
    case 'k': fp_node_size(&type); return fp_after_node(type);
    case 'm': return fp_after_node(fp_after_node(type));
    case 't': case 'v':
        while (*type != 'e') {
            type = fp_after_node(type);
        }
        return type + 1;
    default: fp_node_size(&type); return type;
    }
}

/* The type of the value of a node: that of the optional value, or of the alternative. */
static FP_UNUSED const char *
fp_type_of_node(const fp_node *node, const char *type)
{
    int k;
    while (*type == 'o' || *type == 'v' || *type == 'k') {
        char letter = *type++;
        if (letter == 'k') {
            fp_node_size(&type);
        }
        else if (letter == 'v') {
            for (k = 0; k < node->choice; k++) {
                type = fp_after_node(type);
            }
        }
    }
    return type;
}

/* The object of a node, which the tree owns no longer. */
static FP_UNUSED void *
fp_take_object(const fp_node *node)
{
    void *object = (void *)node->of.data;
    ((fp_node *)node)->of.data = NULL;
    return object;
}

/* The number of types up to the end of a tuple or variant. */
static FP_UNUSED size_t
fp_count_nodes(const char *type)
{
    size_t count = 0;
    for (; *type != 'e'; type = fp_after_node(type)) {
        count++;
    }
    return count;
}

/* Sets a node to a number of this class and size at an address. Returns 0 for others. */
static FP_UNUSED int
fp_set_node(fp_node *node, char letter, int size, const void *value)
{
    long long integer = 0;
    switch (letter) {
    case 'b': node->kind = FP_NODE_BOOL; node->of.integer = *(const unsigned char *)value != 0; return 1;
    case 'f':
        node->kind = FP_NODE_REAL;
        node->of.parts[0] = size == 4 ? (double)*(const float *)value : *(const double *)value;
        return 1;
    case 'c':
        node->kind = FP_NODE_COMPLEX;
        node->of.parts[0] = size == 8 ? (double)((const float *)value)[0] : ((const double *)value)[0];
        node->of.parts[1] = size == 8 ? (double)((const float *)value)[1] : ((const double *)value)[1];
        return 1;
    case 'i': case 'u': break;
    default: return 0;
    }
    node->kind = letter == 'i' ? FP_NODE_SIGNED : FP_NODE_UNSIGNED;
    switch (size) {
    case 1: integer = letter == 'i' ? *(const int8_t *)value : *(const uint8_t *)value; break;
    case 2: integer = letter == 'i' ? *(const int16_t *)value : *(const uint16_t *)value; break;
    case 4: integer = letter == 'i' ? *(const int32_t *)value : (long long)*(const uint32_t *)value; break;
    default: memcpy(&integer, value, sizeof(integer)); break;
    }
    node->of.integer = integer;
    return 1;
}
