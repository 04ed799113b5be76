#define from_more 1
