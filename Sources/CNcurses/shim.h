// The parts of ncursesw that Swift cannot import: macros with arguments, and variables that the library shares.
#pragma once
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
// Debian has the headers of ncursesw in a folder of their own; other systems have one ncurses, with wide characters.
#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#else
#include <curses.h>
#include <term.h>
#endif

/// wcwidth(3). <wchar.h> declares it only if _XOPEN_SOURCE is defined before any other header is included.
extern int wcwidth(wchar_t character);

/// The window of the screen from `newterm`. Its type is opaque in some versions of ncurses, so Swift code cannot name it.
static inline WINDOW *ncurses_standard_window(void) { return stdscr; }

/// The number of colors of the terminal, valid after `start_color`.
static inline int ncurses_colors(void) { return COLORS; }

static inline attr_t ncurses_bold(void) { return A_BOLD; }
static inline attr_t ncurses_dim(void) { return A_DIM; }
static inline attr_t ncurses_reverse(void) { return A_REVERSE; }
static inline attr_t ncurses_underline(void) { return A_UNDERLINE; }

/// True if the terminal can move its cursor to any position, which painting requires.
static inline bool ncurses_can_move(void) { return cursor_address != NULL; }

/// True if the terminal reports its mouse, according to the terminal database.
static inline bool ncurses_has_mouse(void) { return key_mouse != NULL; }

/// The commands that restore the terminal when a program exits; null if the terminal has none.
static inline const char *ncurses_plain_style(void) { return exit_attribute_mode; }
static inline const char *ncurses_plain_colors(void) { return orig_pair; }
static inline const char *ncurses_leave_screen(void) { return exit_ca_mode; }
static inline const char *ncurses_show_cursor(void) { return cursor_normal; }
