#include "agnostic.h"

#include <fishplate/warn.h>
#ifdef Py_PYTHON_H
#error "fishplate/warn.h needs Python"
#endif

void agnostic_work(int warnings)
{
    int i;
    for (i = 0; i < warnings; i++) {
        fp_warn(FP_DEPRECATION_WARNING, "library %d of %d", i + 1, warnings);
    }
}

static void *work_for(void *caller)
{
    fp_warn_for((fp_caller)caller);
    fp_warn(FP_USER_WARNING, caller == NULL ? "worker" : "worker for a call");
    return NULL;
}

void agnostic_work_on_thread(int for_caller)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work_for, for_caller ? fp_this_caller() : NULL) == 0) {
        pthread_join(thread, NULL);
    }
}
