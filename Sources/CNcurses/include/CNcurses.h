#pragma once

// The functions of libncursesw that are used here, declared without its header, so that building needs no libncurses. Names, parameters,
// numbers and structures are those of the library's ABI 6. A test compiles this file with CNCURSES_COMPARED where the library's header is
// installed: then the compiler compares both.
//
// The library is loaded by cncurses_load(), because loading it at each start would delay commands that never draw a screen. Another
// function may be called only when the library is loaded, and by one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#define CNCURSES_NUMBERS(_) \
    _(A_UNDERLINE, 0x20000) \
    _(A_REVERSE, 0x40000) \
    _(A_DIM, 0x100000) \
    _(A_BOLD, 0x200000) \
    _(BUTTON1_PRESSED, 0x2) \
    _(BUTTON1_RELEASED, 0x1) \
    _(BUTTON4_PRESSED, 0x10000) \
    _(BUTTON5_PRESSED, 0x200000) \
    _(CCHARW_MAX, 5) \
    _(KEY_DOWN, 258) \
    _(KEY_UP, 259) \
    _(KEY_LEFT, 260) \
    _(KEY_RIGHT, 261) \
    _(KEY_HOME, 262) \
    _(KEY_BACKSPACE, 263) \
    _(KEY_F0, 264) \
    _(KEY_DC, 330) \
    _(KEY_IC, 331) \
    _(KEY_SF, 336) \
    _(KEY_SR, 337) \
    _(KEY_NPAGE, 338) \
    _(KEY_PPAGE, 339) \
    _(KEY_ENTER, 343) \
    _(KEY_LL, 347) \
    _(KEY_BTAB, 353) \
    _(KEY_END, 360) \
    _(KEY_SLEFT, 393) \
    _(KEY_SRIGHT, 402) \
    _(KEY_MOUSE, 409) \
    _(KEY_RESIZE, 410) \
    _(KEY_MAX, 511)

#ifdef CNCURSES_COMPARED
#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#define CNCURSES_NUMBER(name, number) _Static_assert(name == number, #name);
CNCURSES_NUMBERS(CNCURSES_NUMBER)
#else
#define CNCURSES_NUMBER(name, number) name = number,
enum { CNCURSES_NUMBERS(CNCURSES_NUMBER) };

typedef struct _win_st WINDOW;
typedef struct screen SCREEN;
typedef uint32_t attr_t;
typedef uint32_t mmask_t;

typedef struct {
    attr_t attr;
    wchar_t chars[CCHARW_MAX];
    int ext_color;
} cchar_t;

typedef struct {
    short id;
    int x, y, z;
    mmask_t bstate;
} MEVENT;
#endif

_Static_assert(sizeof(attr_t) == 4 && sizeof(mmask_t) == 4, "attributes and buttons");
_Static_assert(sizeof(cchar_t) == 28 && offsetof(cchar_t, attr) == 0 && offsetof(cchar_t, chars) == 4
    && offsetof(cchar_t, ext_color) == 24, "cchar_t");
_Static_assert(sizeof(MEVENT) == 20 && offsetof(MEVENT, id) == 0 && offsetof(MEVENT, x) == 4
    && offsetof(MEVENT, y) == 8 && offsetof(MEVENT, z) == 12 && offsetof(MEVENT, bstate) == 16, "MEVENT");

// What a function returns, its name, its parameters, and the same as arguments.
#define CNCURSES_FUNCTIONS(_) \
    _(int, cbreak, (void), ()) \
    _(int, clearok, (WINDOW *a, bool b), (a, b)) \
    _(int, curs_set, (int a), (a)) \
    _(int, define_key, (const char *a, int b), (a, b)) \
    _(void, delscreen, (SCREEN *a), (a)) \
    _(int, doupdate, (void), ()) \
    _(int, endwin, (void), ()) \
    _(int, getmaxx, (const WINDOW *a), (a)) \
    _(int, getmaxy, (const WINDOW *a), (a)) \
    _(int, getmouse, (MEVENT *a), (a)) \
    _(int, init_pair, (short a, short b, short c), (a, b, c)) \
    _(bool, isendwin, (void), ()) \
    _(int, key_defined, (const char *a), (a)) \
    _(int, keypad, (WINDOW *a, bool b), (a, b)) \
    _(int, mouseinterval, (int a), (a)) \
    _(mmask_t, mousemask, (mmask_t a, mmask_t *b), (a, b)) \
    _(int, mvwadd_wchnstr, (WINDOW *a, int b, int c, const cchar_t *d, int e), (a, b, c, d, e)) \
    _(SCREEN *, newterm, (const char *a, FILE *b, FILE *c), (a, b, c)) \
    _(WINDOW *, newpad, (int a, int b), (a, b)) \
    _(WINDOW *, newwin, (int a, int b, int c, int d), (a, b, c, d)) \
    _(int, nodelay, (WINDOW *a, bool b), (a, b)) \
    _(int, noecho, (void), ()) \
    _(int, nonl, (void), ()) \
    _(int, resizeterm, (int a, int b), (a, b)) \
    _(int, set_escdelay, (int a), (a)) \
    _(int, setcchar, (cchar_t *a, const wchar_t *b, const attr_t c, short d, const void *e), (a, b, c, d, e)) \
    _(int, start_color, (void), ()) \
    _(int, tigetnum, (const char *a), (a)) \
    _(char *, tigetstr, (const char *a), (a)) \
    _(int, typeahead, (int a), (a)) \
    _(int, use_default_colors, (void), ()) \
    _(int, wgetch, (WINDOW *a), (a)) \
    _(int, wmove, (WINDOW *a, int b, int c), (a, b, c)) \
    _(int, wnoutrefresh, (WINDOW *a), (a)) \
    _(int, wresize, (WINDOW *a, int b, int c), (a, b, c))

// The functions here have other names for the linker, so that they do not take the place of those in the library.
#ifdef CNCURSES_COMPARED
#define CNCURSES_DECLARE(result, name, parameters, arguments) result name parameters;
#else
#define CNCURSES_DECLARE(result, name, parameters, arguments) result name parameters __asm__("cncurses_" #name);
#endif
CNCURSES_FUNCTIONS(CNCURSES_DECLARE)

// How many columns the library gives a character of the locale: wcwidth(3), which the Glibc module does not show.
int cncurses_columns(wchar_t character);

// Why libncursesw cannot be loaded, NULL if it is. May be called from any thread.
const char *cncurses_load(void);

#include "session.h"
