/* Objects whose types are names for `void`. */

#include <stddef.h>

typedef void *pal_HPALETTE;
typedef void *pal_HANDLE;
typedef void PAL;

/* A palette of n colours. */
pal_HPALETTE pal_create_palette(int n);
/* A palette of a file, or NULL. */
pal_HPALETTE pal_open_palette_from_file(const char *path);
void pal_close_palette(pal_HPALETTE p);
int pal_count(pal_HPALETTE p);
pal_HPALETTE pal_copy_palette(pal_HPALETTE p);

/* One type for several sorts of objects. */
pal_HANDLE pal_list_alloc(void);
void pal_list_free(pal_HANDLE list);
pal_HANDLE pal_set_alloc(void);
void pal_set_free(pal_HANDLE set);
int pal_set_size(pal_HANDLE set);

PAL *pal_easy_init(void);
void pal_easy_cleanup(PAL *easy);
int pal_easy_level(const PAL *easy);

/* Mixers are destroyed by the address of their pointer. */
typedef struct mixer mixer;
int pal_mixer_create(pal_HPALETTE p, mixer **m);
void pal_mixer_destroy(mixer **m);
int pal_mixer_mixed(const mixer *m);
