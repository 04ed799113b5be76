#ifndef FILES_H
#define FILES_H
#include <stdio.h>

/* Writes n numbers, one a line; returns how many were written, or -1. */
int write_numbers(FILE *to, const double *x, int n);
/* Reads at most n numbers; returns how many. */
int read_numbers(FILE *source, double *x, int n);
/* Reads one byte, or returns EOF. */
int next_byte(FILE *source);
/* Writes text and fails if `code` is not 0. */
int write_and_fail(FILE *to, const char *text, int code);
/* Copies all that is left. */
long copy(FILE *source, FILE *to);
/* 1: it is NULL. */
int is_null(FILE *to);
/* Writes a line. */
int say(const char *text, FILE *to);
/* The kinds of arguments that overloads distinguish. */
int from_file(FILE *source);
int from_text(const char *path);
int from_number(double x);
/* Calls back while the file is open. */
int each_line(FILE *source, int (*seen)(int length, void *data), void *data);

#endif
