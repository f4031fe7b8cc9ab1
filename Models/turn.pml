/* The exclusive right to deliver (Sources/Bus/Delivery/DeliveryTurn.swift) and the line behind it (SerialObserver.swift).
 *
 * A sender that finds the turn free takes it, delivers and gives it up. A sender that finds it taken puts its value in line
 * and announces that; the holder looks for the announcement when it gives the turn up. A holder that has delivered enough for
 * others offers the turn and asks the package's thread to come; the next sender takes it, or that thread. A visitor (subscribe,
 * dispose) puts something in line and delivers nothing for others. Each value must be delivered once, one at a time, and none
 * may stay in line, which Spin reports as an invalid end; and no call may deliver more than its own value and its budget.
 *
 * Memory is a store buffer for each thread, as on x86. The word of the turn is changed by locked instructions alone, which drain
 * the buffer; what the turn guards, here the number of values delivered, is written by plain stores, so that the model also
 * shows that whoever has the turn sees what its last holder wrote.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#ifndef SENDERS
#define SENDERS 2
#endif
#define VALUES 2 /* that each sender sends */
#define BUDGET 1 /* how many values of others a call delivers */
#define VISITOR SENDERS
#define PACKAGE (SENDERS + 1)
#define THREADS (SENDERS + 2)

byte holder = 0;         /* 0, or the thread's number plus one */
bool line = false;       /* announced; a bit of the same word. With no holder, the turn is offered. */
byte waiting = 0;        /* values in line; guarded by a lock, so never in a buffer */
bool visit = false;      /* the visitor's entry is in line */
bool handed = false;     /* the package's thread has been asked to come, */
byte scheduled = 0;      /* and so often it will */
byte delivered = 0;      /* in memory */
bool buffered[THREADS];  /* whether a store to `delivered` waits in the thread's buffer */
byte value[THREADS];     /* its value */
byte delivering = 0, done = 0;

inline drain(t) { if :: buffered[t] -> delivered = value[t]; buffered[t] = false :: else fi }

active proctype buffers() {
    byte t;
    end: do
    :: atomic { buffered[0] -> drain(0) }
    :: atomic { buffered[1] -> drain(1) }
    :: atomic { buffered[PACKAGE] -> drain(PACKAGE) }
#if SENDERS > 2
    :: atomic { buffered[2] -> drain(2) }
#endif
    od
}

inline deliver(t) {
    atomic { delivering++; assert(delivering == 1); if :: buffered[t] -> seen = value[t] :: else -> seen = delivered fi };
    atomic { drain(t); value[t] = seen + 1; buffered[t] = true; delivering-- }
}

inline take(t) { atomic { drain(t); taken = (holder == 0 && !line); if :: taken -> holder = t + 1 :: else fi } }

inline give_up(t) {
#if BREAK == 1
    over = !line; if :: over -> atomic { drain(t); holder = 0 } :: else fi /* looks, and then gives up */
#elif BREAK == 4
    atomic { over = !line; if :: over -> holder = 0 :: else fi } /* does not drain the buffer */
#else
    atomic { drain(t); over = !line; if :: over -> holder = 0 :: else fi }
#endif
}
inline begin_line(t) { atomic { drain(t); holder = t + 1; line = false } }
#if BREAK == 2
#define LATE /* clears the announcement after it has emptied the line, not before */
#endif
inline announce(t) {
#if BREAK == 3
    taken = (holder == 0); atomic { drain(t); line = true; if :: taken -> holder = t + 1 :: else fi } /* reads, then writes */
#else
    atomic { drain(t); taken = (holder == 0); line = true; if :: taken -> holder = t + 1 :: else fi }
#endif
}

/* Leaves the rest to the next sender or to the package's thread. */
inline hand_on(t) {
    atomic { drain(t); holder = 0; line = true };
#if BREAK != 5
    atomic { if :: !handed -> handed = true; scheduled++ :: else fi };
#endif
    over = true
}

inline drain_line(t) {
    over = false;
    do
    :: over -> break
    :: else ->
#ifndef LATE
        begin_line(t);
#endif
        do
#if BREAK == 6
        :: atomic { waiting > 0 -> drain(t); waiting-- }; deliver(t); assert(budget > 0); budget-- /* does not look at it */
#else
        :: atomic { waiting > 0 && budget > 0 -> drain(t); waiting--; budget-- }; deliver(t)
        :: atomic { waiting > 0 && budget == 0 -> drain(t) }; hand_on(t); break
#endif
        :: atomic { waiting == 0 && visit -> drain(t); visit = false }
        :: atomic { waiting == 0 && !visit -> drain(t) }; break
        od;
        if
        :: over
        :: else ->
#ifdef LATE
            begin_line(t);
#endif
            give_up(t)
        fi
    od
}

proctype sender(byte t) {
    byte sent = 0, seen, budget;
    bool taken, over;
    do
    :: sent == VALUES -> break
    :: else ->
        budget = BUDGET;
        take(t);
        if
        :: taken ->
            deliver(t);
            give_up(t);
            if :: over :: else -> drain_line(t) fi
        :: else ->
            atomic { drain(t); waiting++ };
            announce(t);
            /* Its own value is in the line, among those of others. */
            if :: taken -> budget++; drain_line(t) :: else fi
        fi;
        sent++
    od;
    atomic { drain(t); done++ }
}

proctype visitor() {
    byte t = VISITOR;
    byte seen, budget = 0;
    bool taken, over;
    visit = true;
#if BREAK == 8
    taken = (holder == 0 && !line);
    atomic { line = true; if :: taken && holder == 0 -> holder = t + 1 :: else -> taken = false fi }; /* reads, then writes */
#else
    atomic {
        taken = (holder == 0 && !line);
        if :: taken -> holder = t + 1; line = true :: !taken && holder != 0 -> line = true :: else fi
    };
#endif
    if :: taken -> drain_line(t) :: else fi;
    done++
}

proctype package() {
    byte t = PACKAGE;
    byte seen, budget;
    bool taken, over;
    end: do
    :: atomic { scheduled > 0 -> scheduled-- };
#if BREAK != 7
        handed = false;
#endif
        budget = BUDGET;
        atomic { drain(t); taken = (holder == 0 && line); if :: taken -> holder = t + 1 :: else fi };
        if :: taken -> drain_line(t) :: else fi;
#if BREAK == 7
        handed = false /* after it has looked */
#endif
    od
}

init {
    atomic {
        run sender(0);
        run sender(1);
#if SENDERS > 2
        run sender(2);
#endif
        run visitor();
        run package()
    };
    /* Everything is delivered in the end, whatever was left to whom. */
    atomic {
        done == SENDERS + 1 && waiting == 0 && !visit && delivering == 0 && holder == 0 && !line && scheduled == 0 ->
            drain(0); drain(1); drain(PACKAGE);
#if SENDERS > 2
            drain(2);
#endif
            assert(delivered == SENDERS * VALUES)
    }
}
