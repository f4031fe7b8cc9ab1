// The one screen of the process: exclusive use of the library, the signals of a terminal, and leaving the terminal from any thread and
// before a signal ends the process.
#pragma once

// Notes SIGTSTP, SIGCONT and SIGWINCH from here on, and adds one to the eventfd `wake` for each. Leaves the terminal before a signal ends
// the process by default, and before what is to happen for a crash. Does not take SIGTSTP, SIGHUP, SIGINT, SIGQUIT and SIGTERM where they
// are ignored or have a handler. `terminal` is the open terminal; both descriptors stay open until the session has ended.
void cncurses_session_begin(int terminal, int wake);
// Gives the signals back. Does not leave the terminal. The caller has the right to call the library.
void cncurses_session_end(void);

// Writes `greeting`, for the terminal is drawn on from here on, and `farewell` when it is left. Either may be NULL. `farewell` stays valid
// until then.
void cncurses_session_enter(const char *greeting, const char *farewell);

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

// Stops the process as SIGTSTP does by default, and takes back the note that it continues. Returns when it does, or after a tenth of a
// second when the process group is orphaned, where the kernel drops the signal.
void cncurses_session_stop(void);

// Whether the process may use the terminal: not in the background of a shell.
int cncurses_session_is_foreground(void);
