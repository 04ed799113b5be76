"""First interfaces of libraries with objects: built as they are, and used.

The libraries are those of `tests/headers`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

HEADER_FILES = Path(__file__).parent / "headers"

PALETTE = r"""
#include "palette.h"
#include <stdio.h>
#include <stdlib.h>

static int live;

static void *made(int n)
{
    int *memory = malloc(sizeof *memory);
    *memory = n;
    live++;
    return memory;
}
static void freed(void *memory)
{
    live--;
    free(memory);
}

pal_HPALETTE pal_create_palette(int n) { return made(n); }
pal_HPALETTE pal_open_palette_from_file(const char *path) { return path[0] ? made(1) : NULL; }
void pal_close_palette(pal_HPALETTE p) { freed(p); }
int pal_count(pal_HPALETTE p) { return *(int *)p; }
pal_HPALETTE pal_copy_palette(pal_HPALETTE p) { return made(*(int *)p); }
PAL *pal_easy_init(void) { return made(0); }
void pal_easy_cleanup(PAL *easy) { freed(easy); }
int pal_easy_level(const PAL *easy) { return live + 0 * *(const int *)easy; }
struct mixer { pal_HPALETTE p; };
int pal_mixer_create(pal_HPALETTE p, mixer **m)
{
    *m = malloc(sizeof **m);
    (*m)->p = p;
    live++;
    return 0;
}
void pal_mixer_destroy(mixer **m) { freed(*m); *m = NULL; }
int pal_mixer_mixed(const mixer *m) { return pal_count(m->p); }
"""


def test_void_pointers_with_a_name(works, tmp_path: Path) -> None:
    """They are objects, each of its class, which are released once."""
    shutil.copy(HEADER_FILES / "palette.h", tmp_path)
    (tmp_path / "palette.c").write_text(PALETTE)
    works(
        """
import palette as m

palette, easy = m.Palette(3), m.PAL()
assert easy.level() == 2 and palette.count() == 3
copy = palette.copy_palette()
mixer, _ = palette.mixer_create()
assert easy.level() == 4
copy.close()
del palette
assert mixer.mixed() == 3 and easy.level() == 3
mixer.close()
del mixer
assert easy.level() == 1
for call, wanted in [
    (lambda: m.pal_open_palette_from_file(""), RuntimeError),
    (copy.count, ValueError),
    (lambda: m.Palette.count(easy), TypeError),
    (lambda: m.Palette.count(None), TypeError),
]:
    try:
        call()
    except wanted as error:
        assert str(error)
    else:
        raise AssertionError(wanted)
assert not hasattr(m, "pal_set_size")
""",
        "palette.h",
    )


def test_objects_with_messages(works, tmp_path: Path) -> None:
    """The message of each failure is read from the object of the method; closing may fail."""
    (tmp_path / "shelf.h").write_text("""
enum { SHELF_OK, SHELF_FULL };
typedef struct shelf shelf;
shelf *shelf_create(int room);
int shelf_destroy(shelf *s);
int shelf_add(shelf *s, int size);
const char *shelf_strerror(const shelf *s);
""")
    (tmp_path / "shelf.c").write_text(r"""
#include "shelf.h"
#include <stdio.h>
#include <stdlib.h>

struct shelf { int room; char text[32]; };

shelf *shelf_create(int room)
{
    shelf *s = calloc(1, sizeof *s);
    s->room = room;
    return s;
}
int shelf_destroy(shelf *s)
{
    int status = s->room == 1 ? SHELF_FULL : SHELF_OK;
    free(s);
    return status;
}
int shelf_add(shelf *s, int size)
{
    if (size <= s->room) return s->room -= size, SHELF_OK;
    snprintf(s->text, sizeof s->text, "room for %d", s->room);
    return SHELF_FULL;
}
const char *shelf_strerror(const shelf *s) { return s->text; }
""")
    works(
        """
import shelf as m

s = m.Shelf(3)
s.add(2)
try:
    s.add(2)
except RuntimeError as error:
    assert str(error) == "Shelf.add(): room for 1", error
else:
    raise AssertionError
try:
    s.close()
except RuntimeError as error:
    assert str(error) == "Shelf.close(): shelf_destroy returned status 1", error
else:
    raise AssertionError
with m.Shelf(2):
    pass
""",
        "shelf.h",
    )
