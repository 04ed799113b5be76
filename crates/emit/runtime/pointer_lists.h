/* Arrays of pointers that C returns. */

/* The number of pointers before a NULL. */
static FP_UNUSED ptrdiff_t
fp_count_pointers(const void *list)
{
    const void *const *pointers = (const void *const *)list;
    ptrdiff_t count = 0;
    while (pointers != NULL && pointers[count] != NULL) {
        count++;
    }
    return count;
}
