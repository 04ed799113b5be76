#include <stdlib.h>
#include <string.h>

enum phase { SOLID, LIQUID };
typedef struct { double x, y; } point;
typedef struct moon { double mass; } moon;
struct body {
    double mass;
    const int id;
    unsigned char tag;
    enum phase phase;
    point at;
    const char *label;
    char code[4];
    double spin[3];
    int grid[2][3];
    int count;
    double *marks;      /* count of them */
    unsigned char *cells; /* likewise, only read by the interface */
    const float *table; /* count - 1 rows of two */
    moon only;
    moon *other;
};
typedef struct body body_t;

static inline struct body *body_new(double mass, int id)
{
    struct body made = {mass, id, 7, LIQUID, {1, 2}, id == 3 ? "earth" : NULL, "abc", {1, 2, 3}, {{1, 2, 3}, {4, 5, 6}}, 0, NULL, NULL, NULL, {0.5}, NULL};
    static const float table[2][2] = {{1, 2}, {3, 4}};
    struct body *b = (struct body *)malloc(sizeof *b);
    if (b != NULL) {
        memcpy((void *)b, &made, sizeof made);
        if (id >= 0) {
            b->count = 3;
            b->marks = b->spin;
            b->cells = (unsigned char *)b->spin;
            b->table = &table[0][0];
        }
    }
    return b;
}
static inline void body_free(struct body *b) { free(b); }
static inline void body_set_other(struct body *b, moon *m) { b->other = m; }
static inline moon *moon_new(double mass) { moon *m = (moon *)malloc(sizeof *m); if (m != NULL) m->mass = mass; return m; }
static inline void moon_free(moon *m) { free(m); }
