#include "files.h"

int write_numbers(FILE *to, const double *x, int n)
{
    int k;
    for (k = 0; k < n; k++) {
        if (fprintf(to, "%g\n", x[k]) < 0) {
            return -1;
        }
    }
    return n;
}

int read_numbers(FILE *source, double *x, int n)
{
    int k = 0;
    while (k < n && fscanf(source, "%lf", &x[k]) == 1) {
        k++;
    }
    return k;
}

int next_byte(FILE *source)
{
    return getc(source);
}

int write_and_fail(FILE *to, const char *text, int code)
{
    fputs(text, to);
    return code;
}

long copy(FILE *source, FILE *to)
{
    long count = 0;
    int c;
    while ((c = getc(source)) != EOF) {
        putc(c, to);
        count++;
    }
    return count;
}

int is_null(FILE *to)
{
    return to == NULL;
}

int say(const char *text, FILE *to)
{
    return fprintf(to, "%s\n", text) < 0 ? -1 : 0;
}

int from_file(FILE *source)
{
    return 1000 + getc(source);
}

int from_text(const char *path)
{
    return path[0];
}

int from_number(double x)
{
    return (int)x;
}

int each_line(FILE *source, int (*seen)(int length, void *data), void *data)
{
    int c, length = 0, total = 0;
    while ((c = getc(source)) != EOF) {
        if (c == '\n') {
            total += seen(length, data);
            length = 0;
        }
        else {
            length++;
        }
    }
    return total;
}
