enum color { RED, GREEN };
typedef float shade;
void paint(enum color c);
