/* Nested values: the parts that do not depend on the target language, except for its classes. */

/* The type of a value. */
typedef struct {
    const char *type; /* its signature */
    const void *const *classes; /* fp_handle_class, fp_enum, fp_struct, by their positions in the signature; NULL: none */
} fp_nested_type;

/* The parameter table for a nested value. */
typedef struct {
    fp_param param;
    fp_nested_type of;
} fp_nested_param;

/* A value in others, for messages: "x[2]", "x.values()[0]". */
typedef struct fp_nested_path {
    const struct fp_nested_path *in; /* NULL: the argument itself */
    const char *what;                /* "", ".keys()" */
    ptrdiff_t index;
} fp_nested_path;

static FP_COLD void
fp_append_path(fp_message *t, const fp_nested_path *path)
{
    if (path->in != NULL) {
        fp_append_path(t, path->in);
        fp_append(t, "%s[%td]", path->what, path->index);
    }
}
