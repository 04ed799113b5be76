/* The dimensions that depend on the lengths of lists: inferred for all items before memory is allocated, and checked. */

/* ---- In a fitter: without Python ------------------------------------------------------------------- */

/* Sets an integer variable to dimension `axis` of an array. */
static FP_UNUSED int
fp_fit_dim(void *variable, int type, npy_intp dim, int axis, const char *name, const fp_param *p,
           fp_misfit *misfit)
{
    if ((unsigned long long)dim <= fp_integer_max(type)) {
        fp_store_integer(variable, type, dim);
        return 1;
    }
    misfit->param = p;
    misfit->name = name;
    misfit->axis = axis;
    misfit->type = type;
    misfit->is = dim;
    return 0;
}

/* Checks a dimension against the prototype; `with`: the parameter that determines it, or NULL. */
static FP_UNUSED int
fp_fit_check(const fp_array *x, int axis, npy_intp wanted, const char *name, const fp_param *p,
             const fp_param *with, fp_misfit *misfit)
{
    if (x->data == NULL || x->shape[axis] == wanted) {
        return 1;
    }
    misfit->param = p;
    misfit->with = with;
    misfit->name = name;
    misfit->axis = axis;
    misfit->type = 0;
    misfit->is = x->shape[axis];
    misfit->wanted = wanted;
    return 0;
}

static FP_COLD int
fp_raise_misfit(const fp_ragged *r, const fp_misfit *m, const fp_worker *worker)
{
    const char *name = m->name == NULL ? "it" : m->name;
    int k;
    if (m->param == NULL) {
        return fp_error(PyExc_OverflowError, worker->param, "its value is out of range for %s",
                        fp_type_name(worker->param->type));
    }
    if (m->type != 0) {
        return fp_dim_out_of_range(m->is, m->axis, m->type, m->name, m->param);
    }
    for (k = 0; k < r->count && r->is_dense; k++) {
        if (r->parts[k].param == m->param) {
            return fp_wrong_dim(r->parts[k].array, m->axis, m->wanted, m->name, m->param);
        }
    }
    if (m->wanted == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, m->param,
                        "dimension %d (%s) overflowed, divided by zero or was read beyond an array", m->axis, name);
    }
    if (m->with != NULL) {
        return fp_error(PyExc_ValueError, m->param, "dimension %d is %zd, but %s is %zd, as in argument '%s'",
                        m->axis, (Py_ssize_t)m->is, name, (Py_ssize_t)m->wanted, m->with->name);
    }
    return fp_error(PyExc_ValueError, m->param, "dimension %d is %zd, but %s must be %zd", m->axis,
                    (Py_ssize_t)m->is, name, (Py_ssize_t)m->wanted);
}

/* ---- Fitting --------------------------------------------------------------------------------------- */

/* Sets the lengths of an item's lists for the fitter. */
static inline void
fp_set_lengths(const fp_ragged *r, fp_array *const *arrays, const npy_intp *index)
{
    int k;
    for (k = 0; k < r->count; k++) {
        const fp_part *part = &r->parts[k];
        if (part->is_core && !part->is_made) {
            const npy_int64 *begin = part->begin + index[part->level];
            arrays[part->at]->shape[0] = (npy_intp)(begin[1] - begin[0]);
        }
    }
}

/* Adds the size of an item's outputs. */
static FP_HELPER int
fp_account(fp_ragged *r, npy_intp item)
{
    fp_array *const *arrays = (fp_array *const *)r->shared;
    int k, i;
    for (k = 0; k < r->count; k++) {
        fp_part *part = &r->parts[k];
        const fp_array *x = part->at < 0 ? NULL : arrays[part->at];
        npy_intp size = 1;
        if (!part->is_made || x == NULL) {
            continue;
        }
        if (!fp_check_shape(x, part->param)) {
            return fp_name_item(r, item);
        }
        if (r->is_dense && part->op != NULL && k >= r->inputs) {
            continue; /* fp_map_out computes the size of all items */
        }
        for (i = 0; i < part->param->ndim; i++) {
            size = fp_mul(size, x->shape[i]);
        }
        if (size < 0 || size > (NPY_MAX_INTP >> 8) / part->param->size) {
            fp_error(PyExc_ValueError, part->param, "the array is too large");
            return fp_name_item(r, item);
        }
        part->most = size > part->most ? size : part->most;
        if (part->is_core) {
            npy_int64 *begin = (npy_int64 *)PyArray_DATA(part->offsets);
            npy_intp end = fp_add((npy_intp)begin[item], x->shape[0]);
            if (end < 0) {
                return fp_error(PyExc_ValueError, part->param, "the array is too large for its items");
            }
            begin[item + 1] = end;
        }
    }
    return 1;
}

/* Fits every item in advance. */
static FP_HELPER int
fp_fit_lists(fp_ragged *r, fp_fitter fit, void *shared)
{
    npy_intp index[FP_MAX_LISTS + 1], item, count = r->has_cores ? r->counts[r->depth] : 1;
    fp_worker worker;
    int k;
    for (k = 0; k < r->count; k++) {
        fp_part *part = &r->parts[k];
        if (part->is_made && part->is_core) {
            npy_intp length = r->counts[r->depth] + 1;
            part->offsets = (PyArrayObject *)PyArray_New(&PyArray_Type, 1, &length, NPY_INT64, NULL, NULL,
                                                         0, 0, NULL);
            if (part->offsets == NULL) {
                return 0;
            }
            part->begin = (const npy_int64 *)PyArray_DATA(part->offsets);
            *(npy_int64 *)PyArray_DATA(part->offsets) = 0;
        }
    }
    memset(&worker, 0, sizeof(worker));
    if (count == 0) {
        /* Shapes that do not depend on lists are computed even so. */
        fp_misfit misfit;
        for (k = 0; k < r->count; k++) {
            if (r->parts[k].is_core && !r->parts[k].is_made) {
                ((fp_array *const *)shared)[r->parts[k].at]->shape[0] = 0;
            }
        }
        if (fit != NULL) {
            fit(shared, &worker, &misfit);
        }
        return 1;
    }
    fp_find_item(r, 0, index);
    for (item = 0; item < count; item++) {
        fp_misfit misfit;
        memset(&misfit, 0, sizeof(misfit));
        fp_set_lengths(r, (fp_array *const *)shared, index);
        if (fit != NULL && !fit(shared, &worker, &misfit)) {
            fp_raise_misfit(r, &misfit, &worker);
            return fp_name_item(r, item);
        }
        if (!fp_account(r, item)) {
            return 0;
        }
        fp_next_item(r, 1, index);
    }
    return 1;
}

/* Fits all items at once, without lists. */
static inline int
fp_fit_dense(fp_ragged *r, fp_fitter fit, void *shared)
{
    fp_worker worker;
    fp_misfit misfit;
    worker.param = NULL;
    misfit.param = NULL;
    if (fit != NULL && !fit(shared, &worker, &misfit)) {
        return fp_raise_misfit(r, &misfit, &worker);
    }
    return !r->accounts || fp_account(r, 0);
}

/* Computes the values that depend on the lengths of lists, and the sizes of outputs. */
static inline int
fp_ragged_fit(fp_ragged *r, fp_fitter fit, void *shared, size_t size, int arrays)
{
    r->fit = fit;
    r->shared = shared;
    r->size = size;
    r->arrays = arrays;
    return r->is_dense ? fp_fit_dense(r, fit, shared) : fp_fit_lists(r, fit, shared);
}

/* True if the fitter computes the same in the loop as in advance: expressions may call C. */
static inline int
fp_fits_still(const fp_ragged *r, fp_array *const *arrays, npy_intp item, fp_worker *worker)
{
    int k;
    for (k = 0; k < r->count; k++) {
        const fp_part *part = &r->parts[k];
        if (part->is_made && part->at >= 0
            && (fp_size(arrays[part->at], part->param->ndim) > part->most
                || (part->is_core && arrays[part->at]->shape[0] != part->begin[item + 1] - part->begin[item]))) {
            return fp_item_fault(worker, part->param);
        }
    }
    return 1;
}
