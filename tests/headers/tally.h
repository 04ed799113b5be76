/* Objects that callers store, initialise and clear. */

/* Sums of numbers. */
typedef struct tally {
    long count;
    double sum;
    double *values;
} tally;

/* Begins a tally without numbers. */
void tally_init(tally *t);

/* Begins a tally with a first number. */
void tally_init_with(tally *t, double first);

/* Frees the numbers. */
void tally_clear(tally *t);

/* Adds a number. */
void tally_add(tally *t, double x);

/* The mean. */
double tally_mean(const tally *t);

/* Begun by a function that may fail. */
struct vat {
    char *memory;
    int level;
};

int vat_init(struct vat *v);
void vat_free(struct vat *v);
int vat_level(const struct vat *v);
