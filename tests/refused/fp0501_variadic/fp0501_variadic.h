typedef struct { int size; } number_t[1];
int set_option(int option, ...);
int number_size(number_t n);
