/* Storage: memory that tensors share, in one Lua state or in several, on one thread or on several.
 *
 * A tensor always has a storage; only the storage's data may be NULL, of an output that is sized but
 * not filled yet. So where a tensor lives and how large it is are always known. References are counted
 * by atomics, without a lock; releasing the last one frees the memory, on any thread. */

/* The version of fp_storage and fp_tensor. Modules of different versions do not see one another's
 * tensors as such, but still take them through the buffer interface. */
#define FP_LAYOUT 1

/* DLPack's number of the CPU's memory. */
enum { FP_DEVICE_CPU = 1 };

typedef struct fp_storage {
    uint32_t layout;    /* FP_LAYOUT */
    int32_t references; /* by __atomic only */
    int32_t device_type;
    int32_t device_id;
    size_t size; /* bytes of data, whether it is there or not */
    void *data;  /* by __atomic only: NULL until it is filled, and the same ever after */
    /* Ends the loan of foreign data, of which `owner` is the owner; NULL: the storage owns the data. */
    void (*release)(struct fp_storage *storage);
    void *owner;
} fp_storage;

/* The initial content of a new storage. */
typedef enum {
    FP_UNFILLED, /* not allocated yet */
    FP_ANYTHING, /* it is about to be written */
    FP_ZEROS
} fp_contents;

/* After a storage's header: the data, if both are allocated at once. */
#define FP_STORAGE_HEADER ((sizeof(fp_storage) + 63) / 64 * 64)

/* A storage with one reference; NULL if memory is short. */
static FP_UNUSED fp_storage *
fp_storage_new(size_t size, fp_contents contents)
{
    size_t room = FP_STORAGE_HEADER + (contents == FP_UNFILLED ? 0 : size);
    fp_storage *storage = (fp_storage *)(contents == FP_ZEROS ? calloc(1, room) : malloc(room));
    if (storage == NULL) {
        return NULL;
    }
    storage->layout = FP_LAYOUT;
    storage->references = 1;
    storage->device_type = FP_DEVICE_CPU;
    storage->device_id = 0;
    storage->size = size;
    storage->data = contents == FP_UNFILLED ? NULL : (char *)storage + FP_STORAGE_HEADER;
    storage->release = NULL;
    storage->owner = NULL;
    return storage;
}

static FP_UNUSED void
fp_storage_retain(fp_storage *storage)
{
    __atomic_fetch_add(&storage->references, 1, __ATOMIC_RELAXED);
}

static FP_UNUSED void
fp_storage_release(fp_storage *storage)
{
    /* Accesses by other threads happen before the memory is released. */
    if (__atomic_fetch_sub(&storage->references, 1, __ATOMIC_ACQ_REL) != 1) {
        return;
    }
    if (storage->release != NULL) {
        storage->release(storage);
    }
    else if (storage->data != (char *)storage + FP_STORAGE_HEADER) {
        free(storage->data);
    }
    free(storage);
}

static FP_UNUSED char *
fp_storage_data(fp_storage *storage)
{
    return (char *)__atomic_load_n(&storage->data, __ATOMIC_ACQUIRE);
}

/* The data, initialised with zeros if not allocated yet; NULL if memory is short. */
static FP_HELPER char *
fp_storage_fill(fp_storage *storage)
{
    void *data = fp_storage_data(storage), *made;
    if (data != NULL) {
        return (char *)data;
    }
    made = calloc(1, storage->size == 0 ? 1 : storage->size);
    if (made == NULL) {
        return NULL;
    }
    if (__atomic_compare_exchange_n(&storage->data, &data, made, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        return (char *)made;
    }
    free(made); /* another thread was faster, and its memory is in `data` now */
    return (char *)data;
}
