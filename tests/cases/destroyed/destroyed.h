#include <stdlib.h>

/* A library that owns its objects, and destroys them on request. Sounds are integers. */
typedef struct item {
    struct world *owner;
    void (*on_end)(int id, void *data);
    void *data;
    const double *weights;
    int id;
} item;

typedef struct world { item *items[16]; int sounds[16]; int count; } world;

static int ds_items;

static inline int ds_alive(void) { return ds_items; }
static inline world *ds_world(void) { return (world *)calloc(1, sizeof(world)); }

static inline item *ds_create(world *w, int id)
{
    item *made = w->count < 16 ? (item *)calloc(1, sizeof *made) : NULL;
    if (made != NULL) {
        made->owner = w;
        made->id = id;
        w->items[w->count++] = made;
        ds_items++;
    }
    return made;
}

static inline int ds_destroy(world *w, item *one)
{
    int k;
    for (k = 0; k < w->count; k++) {
        if (w->items[k] == one) {
            if (one->on_end != NULL) one->on_end(one->id, one->data);
            w->items[k] = w->items[--w->count];
            free(one);
            ds_items--;
            return 0;
        }
    }
    return 1; /* it belongs to another world */
}

static inline void ds_free(world *w)
{
    while (w->count > 0) ds_destroy(w, w->items[0]);
    free(w);
}

static inline item *ds_find(world *w, int id)
{
    int k;
    for (k = 0; k < w->count; k++) if (w->items[k]->id == id) return w->items[k];
    return NULL;
}

static inline void ds_remove(item *one) { ds_destroy(one->owner, one); }
static inline int ds_id(const item *one) { return one->id; }
static inline void ds_notify(item *one, void (*f)(int id, void *data), void *data)
{
    one->on_end = f;
    one->data = data;
}
static inline void ds_weigh(item *one, const double *weights, int n) { one->weights = n > 0 ? weights : NULL; }
static inline double ds_weight(const item *one) { return one->weights == NULL ? 0 : one->weights[0]; }

static inline int ds_play(world *w)
{
    int k;
    for (k = 0; k < 16; k++) if (!w->sounds[k]) { w->sounds[k] = 1; return k; }
    return -1;
}
static inline int ds_is_playing(world *w, int sound) { return w->sounds[sound]; }
static inline int ds_first(world *w) { (void)w; return 0; }
static inline void ds_stop(world *w, int sound) { w->sounds[sound] = 0; }
static inline void ds_stop_all(world *w, int *sounds, int n)
{
    int k;
    for (k = 0; k < n; k++) ds_stop(w, sounds[k]);
}
