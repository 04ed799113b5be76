/* Objects that are integers, of two kinds, as HDF5, netCDF and POSIX have them. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int64_t ih_id;     /* -1: invalid */
typedef unsigned char ih_texture; /* 0: invalid */

enum { IH_NONE = -1, IH_ROOM = 4 };

static struct { int is_open, parent; double value; } ih_table[IH_ROOM];
static int ih_closed[IH_ROOM], ih_textures;

static inline int ih_alive(void)
{
    int count = 0;
    for (int i = 0; i < IH_ROOM; i++) count += ih_table[i].is_open;
    return count;
}

/* How often an object was closed. */
static inline int ih_times_closed(int slot) { return ih_closed[slot]; }
static inline int ih_number_of(ih_id id) { return (int)id; }

/* The first is 0, which is an object. */
static inline ih_id ih_make(ih_id parent, double value)
{
    for (int i = 0; i < IH_ROOM; i++) {
        if (ih_table[i].is_open) continue;
        ih_table[i].is_open = 1;
        ih_table[i].parent = (int)parent;
        ih_table[i].value = value;
        ih_closed[i] = 0;
        return i;
    }
    errno = EMFILE;
    return -1;
}

static inline ih_id ih_open(double value) { return ih_make(-1, value); }
static inline ih_id ih_child(ih_id of, double value) { return ih_make(of, value); }

static inline int ih_close(ih_id id)
{
    ih_table[id].is_open = 0;
    ih_closed[id]++;
    return 0;
}

/* The object is returned in an argument; a negative value leaves it unset, or set although the call fails. */
static inline int ih_create(double value, ih_id *made)
{
    if (value == -1) return 1;
    *made = ih_make(-1, value);
    return value < 0 ? 2 : 0;
}

static inline double ih_value(ih_id id) { return ih_table[id].value; }
static inline double ih_sum(ih_id a, ih_id b) { return ih_value(a) + (b < 0 ? 100 : ih_value(b)); }
static inline ih_id ih_parent(ih_id id) { return ih_table[id].parent; }
static inline double ih_scaled(ih_id id, double by) { return ih_value(id) * by; }

/* Calls a function with each object that is open, then with none. */
static inline double ih_each(double (*visit)(ih_id id, void *data), void *data)
{
    double sum = 0;
    for (int i = 0; i < IH_ROOM; i++) {
        if (ih_table[i].is_open) sum += visit(i, data);
    }
    return sum + visit(-1, data);
}

static inline ih_texture ih_texture_new(int wanted) { ih_textures += wanted > 0; return (ih_texture)wanted; }
static inline void ih_texture_free(int n, const ih_texture *textures) { ih_textures -= n; (void)textures; }
static inline int ih_texture_number(ih_texture texture) { return texture; }
static inline int ih_textures_alive(void) { return ih_textures; }

/* A pointer as in iconv: (ih_converter)-1 is none, and NULL is one. */
typedef void *ih_converter;
static int ih_converters;
static inline ih_converter ih_converter_open(int wanted)
{
    static int one;
    if (wanted < 0) return (ih_converter)-1;
    ih_converters++;
    return wanted > 0 ? (ih_converter)&one : NULL;
}
static inline int ih_converter_close(ih_converter converter) { ih_converters--; return converter != NULL; }
static inline int ih_converter_is_null(ih_converter converter) { return converter == NULL; }
static inline int ih_has_converter(ih_converter converter) { return converter != (ih_converter)-1; }
static inline int ih_converter_find(int wanted, ih_converter *made)
{
    *made = ih_converter_open(wanted);
    return wanted == 7;
}
static inline int ih_converters_alive(void) { return ih_converters; }
