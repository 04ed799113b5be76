/* A function in C of a module in C++. */
#ifdef __cplusplus
extern "C"
#endif
void warn_in_another_file(void);
