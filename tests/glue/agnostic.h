/* A library that is independent of Python, in a shared library of its own. */
#ifdef __cplusplus
extern "C" {
#endif
void agnostic_work(int warnings);
void agnostic_work_on_thread(int for_caller);
#ifdef __cplusplus
}
#endif
