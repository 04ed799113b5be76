#ifndef NULL_RESULTS_H
#define NULL_RESULTS_H

typedef struct { char error[32]; } store;

/* NULL: by errno, or with 0 there. */
store *store_open(const char *path);
store *store_copy(const store *s, int room);
void store_close(store *s);
/* NULL, with a message of the store. */
const char *store_get(store *s, int key);
const char *store_error(const store *s);
int store_check(store *s, int status);
const char *store_strerror(int status);
int store_room(int count, int *room);
char *store_join(const char *part, int count, int room);
void store_free(char *text);
const char *store_last(void);
int store_alive(void);
#endif
