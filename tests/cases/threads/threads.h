#ifndef THREADS_H
#define THREADS_H

/* Each function works for a while, and counts how many do so at once: with a box, with any box, at all. */
typedef struct { int inside, most; } box;

box *box_new(void);
void box_free(box *b);
int box_work(box *b);
int box_both(box *a, box *b);
box *box_part(box *b);
int box_shared(box *b);
int work(void);
int work_more(void);
double *memory(int n);
void memory_free(double *memory);
char *text(void);
void memory_free_text(char *text);
typedef struct token token;
token *token_new(void);
void token_free(token *t);
int most_at_once(void);
void forget(void);
#endif
