/* A subscriber's queue (Sources/Bus/Topics/Queueing): a topic that sends values and then lets go of the queue, a subscriber that has room
 * for few values and takes them away on a thread of its own, and somebody who may dispose of the subscription at any time.
 *
 * While the subscriber has room, the topic calls it without a lock. When it pauses, it is asked to call back, and values wait in line. Whoever is
 * called back drains the line and then hands the subscriber back. One thread at a time may touch the subscriber, nobody after it was freed,
 * it must be freed in the end, once, and each value must arrive unless the subscription was disposed of.
 *
 * Steps that the queue takes under its lock are one step here. The topic reads the mode without the lock, but it alone leaves the mode
 * `direct`, so that what it reads too late is only that a drainer has handed the subscriber back; then it looks again under the lock.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#define VALUES 5
#define ROOM 1

mtype = { direct, holding, over };
mtype mode = direct;
bool draining = false;   /* somebody other than the topic touches the subscriber, or the topic asks it to call back */
bool asking = false;
bool calledBack = false;
bool abandoned = false;
bool disposed = false;
bool freed = false;
bool claimed = false;    /* somebody frees it, or has */
byte waiting = 0;        /* values in line */
byte held = 0;           /* values in the subscriber */
bool asked = false;      /* it is to call back */
byte consumed = 0;
byte inside = 0;

inline release() { atomic { assert(inside == 0 && !freed); freed = true } }

/* Under the lock: whoever would free the subscriber does so only if nobody else does. */
inline claim(wants) {
#if BREAK == 7
    skip
#else
    if :: wants && claimed -> wants = false :: wants && !claimed -> claimed = true :: else fi
#endif
}

/* The subscriber takes a value, and says whether it has room for another. */
inline deliver() {
    atomic { assert(!freed); inside++; assert(inside == 1) };
    atomic { held++; pausing = (held >= ROOM) };
    inside--
}

inline ask() {
#if BREAK == 1
    atomic { draining = false; asking = true; calledBack = false };
#else
    atomic { draining = true; asking = true; calledBack = false };
#endif
    atomic { assert(!freed); inside++; assert(inside == 1) };
    atomic { if :: held >= ROOM -> asked = true; answer = true :: else -> answer = false fi };
    inside--;
    atomic {
        asking = false;
        last = false;
        if
        :: answer && calledBack -> answer = false
        :: answer && !calledBack -> draining = false; last = (abandoned && mode != holding); claim(last)
        :: else
        fi
    };
    if :: last -> release() :: else fi
}

inline drain() {
    do
    :: atomic { taken = (mode == holding && waiting > 0); if :: taken -> waiting-- :: else fi };
        if
        :: taken ->
            deliver();
            if
            :: pausing -> ask(); if :: answer -> break :: else fi
            :: else
            fi
        :: else ->
            atomic {
#if BREAK == 2
                over_ = true;
#else
                over_ = !(mode == holding && waiting > 0);
#endif
                last = false;
                if
                :: over_ ->
                    draining = false;
                    if :: mode == holding -> mode = direct :: else fi;
                    last = abandoned;
                    claim(last)
                :: else
                fi
            };
            if :: last -> release() :: else fi;
            if :: over_ -> break :: else fi
        fi
    od
}

active proctype topic() {
    byte sent = 0;
    bool pausing, answer, taken, over_, last, idle, isDirect;
    do
    :: sent == VALUES || disposed -> break
    :: else ->
        isDirect = (mode == direct);
        if
        :: isDirect ->
            deliver();
            sent++;
            if
            :: pausing ->
                atomic { isDirect = (mode == direct); if :: isDirect -> mode = holding :: else fi };
                if
                :: isDirect -> ask(); if :: !answer -> drain() :: else fi
                :: else
                fi
            :: else
            fi
        :: else ->
            atomic {
#if BREAK == 4
                if :: mode != over -> waiting++; sent++ :: else -> sent++ fi
#else
                if :: mode == holding -> waiting++; sent++ :: mode == over -> sent++ :: else fi
#endif
            }
        fi
    od;
    /* It lets go of the queue. */
#if BREAK == 5
    atomic { abandoned = true; idle = true; claim(idle) };
#else
    atomic { abandoned = true; idle = (!draining && (mode != holding || waiting == 0)); claim(idle) };
#endif
    if :: idle -> release() :: else fi
}

active proctype subscriber() {
    bool pausing, answer, taken, over_, last, back, isDrainer;
    end: do
    :: atomic { held > 0 -> held--; consumed++; back = asked; asked = false };
        if
        :: back ->
            atomic {
                isDrainer = false;
                if
#if BREAK == 3
                :: mode == holding -> draining = true; isDrainer = true
#else
                :: asking -> calledBack = true
                :: !asking && mode == holding -> draining = true; isDrainer = true
#endif
                :: else
                fi
            };
            if :: isDrainer -> drain() :: else fi
        :: else
        fi
    od
}

active proctype disposer() {
    bool last;
    if
    :: atomic { mode = over; waiting = 0; disposed = true; last = (abandoned && !draining); claim(last) };
#if BREAK != 6
        if :: last -> release() :: else fi
#endif
    :: true
    fi
}

/* Ends only when the subscriber was freed. */
active proctype judge() {
    atomic { freed -> assert(disposed || consumed + held == VALUES) }
}
