// ncurses with wide characters, and its macros that Swift cannot import.
#pragma once
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <locale.h>
// Debian has the headers of ncursesw in a folder of their own; other systems have one ncurses, with wide characters.
#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#else
#include <curses.h>
#endif

static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_reverse(void) { return A_REVERSE; }
