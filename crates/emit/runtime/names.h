/* Names of classes in messages. */

/* "Box" of "shapes.Box" */
static FP_COLD const char *
fp_last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}
