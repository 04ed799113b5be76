int first(const char *text);
