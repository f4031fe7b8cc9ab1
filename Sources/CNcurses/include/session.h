// The one screen of the process: exclusive use of the library, the signals of a terminal, and leaving the terminal from any thread and
// before a signal ends the process.
#pragma once

// Notes SIGTSTP, SIGCONT and SIGWINCH from here on, and adds one to the eventfd `wake` for each. Before a signal whose default action ends
// the process does so, the terminal is left. Signals that have a handler or are ignored, other than SIGCONT and SIGWINCH, are not touched.
// `terminal` is the open terminal; both stay open until the session has ended.
void cncurses_session_begin(int terminal, int wake);
// Gives the signals back. Does not leave the terminal. The caller has the right to call the library.
void cncurses_session_end(void);

// The terminal is drawn on from here on. `farewell` is written when it is left; NULL for nothing, and it stays valid until then.
void cncurses_session_entered(const char *farewell);

// The right to call the library. cncurses_session_leave() takes it for ever when it is called by cncurses_session_abandon().
void cncurses_session_lock(void);
void cncurses_session_unlock(void);

// Leaves the terminal as it was, while the caller has the right to call the library. Does nothing when it has been left, or when the
// process is in the background.
void cncurses_session_leave(void);

// The same from any thread without that right, for a process that is about to end: no further thread gets the right. When another
// thread keeps it for longer than 100 ms, because the terminal takes no output, only the terminal's settings are restored.
void cncurses_session_abandon(void);

#define CNCURSES_STOP 1u
#define CNCURSES_CONTINUE 2u
#define CNCURSES_RESIZE 4u
// Which signals have come since this was last asked.
unsigned cncurses_session_signals(void);

// Stops the process as SIGTSTP does by default. Returns when it continues, or at once when the process group is orphaned, where the
// kernel drops the signal.
void cncurses_session_stop(void);

// Whether the process may use the terminal: not in the background of a shell.
int cncurses_session_is_foreground(void);
