/* The exclusive right to deliver (Sources/Bus/Delivery/DeliveryTurn.swift) and the line behind it (SerialObserver.swift).
 *
 * A sender that finds the turn free takes it, delivers and gives it up. A sender that finds it taken puts its value in line
 * and announces that; the holder looks for the announcement when it gives the turn up. Each value must be delivered once, one
 * at a time, and none may stay in line.
 *
 * Memory is a store buffer for each thread, as on x86. The word of the turn is changed by locked instructions alone, which drain
 * the buffer; what the turn guards, here the number of values delivered, is written by plain stores, so that the model also
 * shows that whoever has the turn sees what its last holder wrote.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#define THREADS 3
#define VALUES 2 /* that each thread sends */

byte holder = 0;         /* 0, or the thread's number plus one */
bool line = false;       /* announced; a bit of the same word */
byte waiting = 0;        /* values in line; guarded by a lock, so never in a buffer */
byte delivered = 0;      /* in memory */
bool buffered[THREADS];  /* whether a store to `delivered` waits in the thread's buffer */
byte value[THREADS];     /* its value */
byte delivering = 0, done = 0;

inline drain(t) { if :: buffered[t] -> delivered = value[t]; buffered[t] = false :: else fi }

active proctype buffers() {
    end: do
    :: atomic { buffered[0] -> delivered = value[0]; buffered[0] = false }
    :: atomic { buffered[1] -> delivered = value[1]; buffered[1] = false }
    :: atomic { buffered[2] -> delivered = value[2]; buffered[2] = false }
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
    taken = (holder == 0 && !line); atomic { drain(t); line = true; if :: taken -> holder = t + 1 :: else fi } /* reads, then writes */
#else
    atomic { drain(t); taken = (holder == 0 && !line); line = true; if :: taken -> holder = t + 1 :: else fi }
#endif
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
        :: atomic { waiting > 0 -> drain(t); waiting-- }; deliver(t)
        :: atomic { waiting == 0 -> drain(t) }; break
        od;
#ifdef LATE
        begin_line(t);
#endif
        give_up(t)
    od
}

active [THREADS] proctype sender() {
    byte t = _pid - 1;
    byte sent = 0, seen;
    bool taken, over;
    do
    :: sent == VALUES -> break
    :: else ->
        take(t);
        if
        :: taken ->
            deliver(t);
            give_up(t);
            if :: over :: else -> drain_line(t) fi
        :: else ->
            atomic { drain(t); waiting++ };
            announce(t);
            if :: taken -> drain_line(t) :: else fi
        fi;
        sent++
    od;
    atomic { drain(t); done++;
        if :: done == THREADS -> drain(0); drain(1); drain(2); assert(waiting == 0 && delivered == THREADS * VALUES) :: else fi }
}
