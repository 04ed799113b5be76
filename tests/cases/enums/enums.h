enum color { RED, GREEN, BLUE };

enum color next_color(enum color c);
void all_colors(enum color *c);
