/* Pausing and going on (Sources/Bus/Delivery/SerialObserver.swift): two senders, a line in front of an observer that has room
 * for few values, and a consumer that takes them away on a thread of its own.
 *
 * A sender delivers itself if it is its turn and the observer is ready; otherwise its value waits in line. A sender that is told
 * to pause leaves a request under the line's lock, and sends nothing until it is called. When the observer calls back, whoever
 * delivers opens the line, empties it as far as there is room, and calls the senders: with each value that it takes out of the
 * line, and once more when its turn is over. Each value must arrive, the line and the
 * observer must not hold more than they may, and nobody may wait for a call that never comes: a state in which everybody waits
 * and something is left is what Spin reports as an invalid end.
 *
 * A store to `ready` waits in the storing thread's buffer until a locked instruction of that thread drains it, or at any time.
 * What is done under the line's lock is one step.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#define SENDERS 2
#define CONSUMER 2
#define THREADS 3
#ifndef VALUES
#define VALUES 3 /* that each sender has */
#endif
#define LIMIT 4  /* of the line; half of it is for those who were told before that they may go on */
#define ROOM 1   /* of the observer */

byte holder = 0;          /* whose turn it is: 0, or the thread's number plus one */
bool line = false;        /* something is announced */
bool paused = false;      /* the observer has no room, as far as the senders know */
bool crowded = false;     /* enough is in line */
bool ready = false;       /* it has called back */
bool storing[THREADS];    /* a store of true to `ready` waits in the thread's buffer */
byte waiting = 0;         /* values in line */
bool request[SENDERS];    /* a sender is to be called */
bool called[SENDERS];
byte held = 0;            /* values in the observer */
bool asked = false;       /* it is to call back */
byte consumed = 0;
byte delivering = 0;

inline drained(t) { if :: storing[t] -> ready = true; storing[t] = false :: else fi }

active proctype buffers() {
    end: do
    :: atomic { storing[0] -> ready = true; storing[0] = false }
    :: atomic { storing[1] -> ready = true; storing[1] = false }
    :: atomic { storing[2] -> ready = true; storing[2] = false }
    od
}

/* The observer takes a value, and is asked to call back when it has no room for more. */
inline deliver(t) {
    atomic { delivering++; assert(delivering == 1); assert(held < ROOM); held++ };
    if
    :: held == ROOM ->
        /* whenReady: there is room again, or the request is kept. */
        atomic { drained(t); if :: held == ROOM -> asked = true; pausing = true :: else -> pausing = false fi };
#if BREAK == 1
        if :: pausing -> ready = false :: else fi; /* forgets a call that came meanwhile */
#endif
        if :: pausing -> atomic { drained(t); paused = true } :: else fi
    :: else
    fi;
    atomic { delivering-- }
}

inline call(s) { if :: calling[s] -> called[s] = true; calling[s] = false :: else fi }

inline drain(t) {
    do
    :: atomic { drained(t); line = false };
        do
        :: if
           :: atomic { ready -> drained(t); ready = false; paused = false }
           :: !ready
           fi;
           /* Under the lock: the next value, unless the observer pauses; and the requests, when few wait. */
           atomic {
               drained(t);
               taken = false;
               if :: waiting > 0 && !paused -> waiting--; taken = true :: else fi;
               calling[0] = false; calling[1] = false;
#if BREAK != 2
               if
               :: taken && waiting <= LIMIT / 4 ->
                   crowded = false;
                   calling[0] = request[0]; calling[1] = request[1]; request[0] = false; request[1] = false
               :: else
               fi
#endif
           };
           again = taken;
           call(0); call(1);
           if :: taken -> deliver(t) :: else fi;
           if :: !again -> break :: else fi
        od;
        /* Gives the turn up, unless something was announced. */
        atomic { drained(t); if :: !line -> holder = 0; over = true :: else -> over = false fi };
        if :: over -> break :: else fi
    od;
    /* Its turn is over: those who wait deliver for themselves. */
    atomic {
        drained(t);
        calling[0] = false; calling[1] = false;
#if BREAK != 2
        if
        :: !paused && waiting <= LIMIT / 4 ->
            crowded = false;
            calling[0] = request[0]; calling[1] = request[1]; request[0] = false; request[1] = false
        :: else
        fi
#endif
    };
    call(0); call(1)
}

/* Says that something is in line; whoever finds the turn free sees to it. */
inline announce(t) {
    atomic { drained(t); free = (holder == 0 && !line); line = true; if :: free -> holder = t + 1 :: else fi };
    if :: free -> drain(t) :: else fi
}

proctype sender(byte t) {
    byte sent = 0;
    bool free, early, over, taken, again, pausing, calling[SENDERS], wait;
    do
    :: sent == VALUES -> break
    :: else ->
        atomic { drained(t); if :: holder == 0 && !line -> holder = t + 1; free = true :: else -> free = false fi };
        early = free;
        if
        :: free ->
#if BREAK != 5
            early = !paused; /* looked at in its turn */
#endif
            if :: early -> deliver(t) :: else fi;
            atomic { drained(t); if :: !line -> holder = 0; over = true :: else -> over = false fi };
            if :: !over -> drain(t) :: else fi
        :: else
        fi;
        if
        :: !early ->
            atomic {
                drained(t);
                waiting++;
                assert(waiting <= LIMIT);
                if :: waiting > LIMIT / 2 -> crowded = true :: else fi
            };
            announce(t)
        :: else
        fi;
        sent++;
        /* The answer, and the request after it. */
        if
        :: paused || crowded ->
#if BREAK == 3
            wait = (paused || crowded); /* looks, and leaves its request, in two steps */
            if :: wait -> request[t] = true :: else fi;
#else
            atomic {
                drained(t);
                wait = (paused || crowded);
                if :: wait -> request[t] = true :: else fi
            };
#endif
            if :: wait -> atomic { called[t]; called[t] = false } :: else fi
        :: !(paused || crowded)
        fi
    od
}

proctype consumer() {
    byte t = CONSUMER;
    bool free, over, taken, again, pausing, calling[SENDERS], back;
    do
    :: consumed == SENDERS * VALUES -> break
    :: atomic { held > 0 -> held--; consumed++; back = asked; asked = false };
        if
        :: back ->
            storing[t] = true;
#if BREAK != 4
            announce(t)
#endif
        :: else
        fi
    od
}

init { atomic { run sender(0); run sender(1); run consumer() } }
