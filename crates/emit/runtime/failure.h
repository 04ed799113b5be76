/* The reason why a call failed: recorded where it fails, on any thread and without the GIL, and
 * raised later with the GIL. Messages of C are copied at once, since the next call may change them.
 * */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FP_FAILURE_TEXT = 512 };

/* The exception to raise: one of these, or FP_NAMED and more for those that the interface names. */
enum {
    FP_RUNTIME_ERROR,
    FP_VALUE_ERROR,
    FP_INDEX_ERROR,
    FP_OVERFLOW_ERROR,
    FP_MEMORY_ERROR,
    FP_TYPE_ERROR,
    FP_OS_ERROR,
    FP_NAMED
};

/* The interpretation of a return code: 0 for success, else one of these. */
enum { FP_FAILS = 1, FP_WARNS = 2 };

typedef struct fp_failure {
    const char *function; /* the function named before the message; NULL: none */
    int exception;
    int number; /* an errno; 0: none */
    void *raised; /* an exception of the target language, owned, which is raised unchanged; NULL: none */
    struct fp_failure *cause; /* the exception nested in a C++ exception, owned; NULL: none */
    char text[FP_FAILURE_TEXT];
} fp_failure;

static FP_COLD void
fp_begin_failure(fp_failure *why, const char *function, int exception)
{
    why->function = function;
    why->exception = exception;
    why->number = 0;
    why->raised = NULL;
    why->cause = NULL;
    why->text[0] = 0;
}

/* Frees the first of a failure's causes; the next one takes its place. */
static FP_COLD void
fp_pop_cause(fp_failure *why)
{
    fp_failure *cause = why->cause;
    why->cause = cause->cause;
    free(cause);
}

/* The last character of a text in UTF-8 is incomplete: a full buffer has truncated it. */
static FP_COLD int
fp_is_incomplete(const char *text, size_t length)
{
    size_t k = 1;
    while (k < 4 && k < length && (text[length - k] & 0xC0) == 0x80) {
        k++;
    }
    return length > 0 && k < ((text[length - k] & 0xE0) == 0xC0   ? 2u
                              : (text[length - k] & 0xF0) == 0xE0 ? 3u
                              : (text[length - k] & 0xF8) == 0xF0 ? 4u
                                                                  : 1u);
}

/* Adds a text to the message. A text that does not fit is truncated after a whole character, and ends in an
 * ellipsis. */
static FP_COLD void
fp_append_text(fp_failure *why, const char *text)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t used = strlen(why->text), room = FP_FAILURE_TEXT - 1 - used, length = strlen(text), end, k;
    memcpy(why->text + used, text, length < room ? length : room);
    used += length < room ? length : room;
    why->text[used] = 0;
    if (length > room || (length == room && fp_is_incomplete(why->text, used))) {
        end = FP_FAILURE_TEXT - sizeof(ellipsis);
        for (k = 0; k < 3 && (why->text[end] & 0xC0) == 0x80; k++) {
            end--;
        }
        memcpy(why->text + end, ellipsis, sizeof(ellipsis));
    }
}

/* Sets the message, unless there is one; NULL and the empty string are ignored. */
static FP_COLD void
fp_set_message(fp_failure *why, const char *text)
{
    if (text != NULL && why->text[0] == 0) {
        fp_append_text(why, text);
    }
}

/* Adds the message of one more error of a library's stack. */
static FP_COLD void
fp_add_message(fp_failure *why, const char *text)
{
    if (text != NULL && text[0] != 0) {
        fp_append_text(why, why->text[0] != 0 ? "; " : "");
        fp_append_text(why, text);
    }
}

static FP_COLD void
fp_describe_errno(fp_failure *why)
{
    if (why->number != 0) {
        why->exception = FP_OS_ERROR;
        fp_set_message(why, strerror(why->number));
    }
}

/* "parse returned status 3", without a better message. */
static FP_COLD void
fp_describe_status(fp_failure *why, const char *c_name, int is_unsigned, long long status)
{
    if (why->text[0] == 0) {
        snprintf(why->text, sizeof(why->text),
                 is_unsigned ? "%s returned status %llu" : "%s returned status %lld", c_name, status);
    }
}

#ifdef __cplusplus
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

/* A thread that is being cancelled is unwound by an exception that must not be caught for good. */
#ifdef __GLIBCXX__
#define FP_LET_THREADS_END                     \
    catch (const abi::__forced_unwind &)       \
    {                                          \
        throw;                                 \
    }
#else
#define FP_LET_THREADS_END
#endif

static FP_COLD void
fp_note(fp_failure *why, int exception, const char *text)
{
    fp_begin_failure(why, NULL, exception);
    fp_set_message(why, text);
}

/* A C++ exception that the interface names: its own message, else its type's name. */
static FP_UNUSED void
fp_note_thrown(fp_failure *why, int exception, const char *, const std::exception *thrown)
{
    fp_note(why, exception, thrown->what());
}

static FP_UNUSED void
fp_note_thrown(fp_failure *why, int exception, const char *, const char *const *thrown)
{
    fp_note(why, exception, *thrown);
}

static FP_UNUSED void
fp_note_thrown(fp_failure *why, int exception, const char *type, const void *)
{
    fp_note(why, exception, type);
}

/* Releases memory. If that throws, the exception cannot be reported. */
template <class T> static inline void
fp_release_quietly(T release)
{
    try {
        release();
    }
    FP_LET_THREADS_END
    catch (...) {
    }
}

/* An errno, if the exception has one. */
static FP_COLD void
fp_note_system_error(fp_failure *why, const std::system_error &error)
{
    const std::error_condition condition = error.code().default_error_condition();
    fp_note(why, FP_OS_ERROR, error.what());
    if (condition.category() == std::generic_category()) {
        why->number = condition.value();
    }
}

/* Records the exception that is being handled if it knows more details; NULL: unused. */
static int (*fp_catch_more)(fp_failure *why);

/* Records the exception that is being handled, by its standard base class. */
static FP_COLD void
fp_note_standard(fp_failure *why)
{
    if (fp_catch_more != NULL && fp_catch_more(why)) {
        return;
    }
    try {
        throw;
    }
    catch (const std::invalid_argument &error) {
        fp_note(why, FP_VALUE_ERROR, error.what());
    }
    catch (const std::domain_error &error) {
        fp_note(why, FP_VALUE_ERROR, error.what());
    }
    catch (const std::out_of_range &error) {
        fp_note(why, FP_INDEX_ERROR, error.what());
    }
    catch (const std::overflow_error &error) {
        fp_note(why, FP_OVERFLOW_ERROR, error.what());
    }
    catch (const std::system_error &error) {
        fp_note_system_error(why, error);
    }
    catch (const std::bad_alloc &error) {
        fp_note(why, FP_MEMORY_ERROR, error.what());
    }
    catch (const std::exception &error) {
        fp_note(why, FP_RUNTIME_ERROR, error.what());
    }
    catch (...) {
        fp_note(why, FP_RUNTIME_ERROR, "an exception that is not a std::exception");
    }
}

/* The exception that std::throw_with_nested has stored in the one that is being handled. */
static FP_COLD std::exception_ptr
fp_nested(void)
{
    try {
        throw;
    }
    catch (const std::nested_exception &outer) {
        return outer.nested_ptr();
    }
    FP_LET_THREADS_END
    catch (...) {
        return nullptr;
    }
}

enum { FP_MOST_CAUSES = 100 };

/* Records the exception that is being handled, with its nested exceptions as causes. */
static FP_COLD void
fp_catch(fp_failure *why, void (*note)(fp_failure *why))
{
    std::exception_ptr nested = fp_nested();
    note(why);
    for (int left = FP_MOST_CAUSES; nested != nullptr && left > 0; left--) {
        why->cause = static_cast<fp_failure *>(malloc(sizeof(fp_failure)));
        if (why->cause == NULL) {
            return;
        }
        why = why->cause;
        try {
            std::rethrow_exception(nested);
        }
        FP_LET_THREADS_END
        catch (...) {
            note(why);
            nested = fp_nested();
        }
    }
}
#endif
