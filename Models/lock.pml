/* The lock (Sources/Bus/Synchronization/Lock.swift): a word of three states and a futex.
 *
 * Memory is a store buffer for each thread, as on x86: a plain store stays there until it drains, and only its own thread
 * sees it before. A locked instruction drains the buffer first. What the lock guards is written with plain stores, so the
 * model also shows that whoever has the lock sees what its last holder wrote.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#ifndef THREADS
#define THREADS 3
#endif
#define ROUNDS 2

#define FREE 0
#define HELD 1
#define CONTENDED 2 /* held, and somebody may sleep */

byte word = FREE;
byte guarded = 0;        /* in memory */
bool buffered[THREADS];  /* whether a store to `guarded` waits in the thread's buffer */
byte value[THREADS];     /* its value */
bool asleep[THREADS];
byte inside = 0;
byte done = 0;

/* One buffered store reaches memory; at any time, or because a locked instruction needs it. */
inline drain(t) { if :: buffered[t] -> guarded = value[t]; buffered[t] = false :: else fi }

active proctype buffers() {
    byte t;
    end: do
    :: atomic { buffered[0] -> guarded = value[0]; buffered[0] = false }
    :: atomic { buffered[1] -> guarded = value[1]; buffered[1] = false }
    :: atomic { buffered[2] -> guarded = value[2]; buffered[2] = false }
    od
}

inline load_guarded(t, into) { if :: buffered[t] -> into = value[t] :: else -> into = guarded fi }
/* The buffer holds one store: an older one drains first. */
inline store_guarded(t, new) { atomic { drain(t); value[t] = new; buffered[t] = true } }

/* The kernel looks at the word and puts the thread to sleep in one step. With SPURIOUS it may wake it for no reason. */
inline futex_wait(t, expected) {
    atomic { if :: word == expected -> asleep[t] = true :: else fi };
    if :: !asleep[t]
#ifdef SPURIOUS
       :: asleep[t] -> asleep[t] = false
#endif
    fi
}
inline futex_wake() {
    atomic {
        if
        :: asleep[0] -> asleep[0] = false
        :: asleep[1] -> asleep[1] = false
        :: asleep[2] -> asleep[2] = false
        :: !asleep[0] && !asleep[1] && !asleep[2]
        fi
    }
}

inline lock(t) {
    atomic { drain(t); seen = word; if :: seen == FREE -> word = HELD :: else fi };
    if
    :: seen == FREE
    :: else ->
        do
        :: atomic { drain(t); seen = word;
#if BREAK == 1
            /* takes it as uncontended, though others may sleep */
            if :: seen == FREE -> word = HELD :: else -> word = CONTENDED fi
#else
            word = CONTENDED
#endif
           };
           if
           :: seen == FREE -> break
           :: else ->
                futex_wait(t, CONTENDED)
           fi
        od
    fi
}

inline unlock(t) {
#if BREAK == 2
    seen = word; atomic { drain(t); word = FREE }; /* a sleeper that comes in between is overlooked */
#elif BREAK == 3
    atomic { seen = word; word = FREE };           /* does not drain what was written before */
#else
    atomic { drain(t); seen = word; word = FREE };
#endif
#if BREAK == 4
    skip                                           /* wakes nobody */
#else
    if :: seen == CONTENDED -> futex_wake() :: else fi
#endif
}

active [THREADS] proctype thread() {
    byte t = _pid - 1;
    byte round = 0;
    byte seen, now;
    do
    :: round == ROUNDS -> break
    :: else ->
        lock(t);
        inside++;
        assert(inside == 1);
        load_guarded(t, now);
        store_guarded(t, now + 1);
        inside--;
        unlock(t);
        round++
    od;
    atomic { drain(t); done++; if :: done == THREADS -> assert(guarded == THREADS * ROUNDS) :: else fi }
}
