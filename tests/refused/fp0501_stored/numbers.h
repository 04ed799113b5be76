struct number { int digits; };
/* Its size is that of a pointer, not of an object. */
typedef struct number *number_p;
void number_init(number_p x);
