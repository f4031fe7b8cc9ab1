/* The exclusive right to deliver (Sources/Bus/Delivery/DeliveryTurn.swift) and the line behind it (SerialObserver.swift).
 *
 * A sender that finds the turn free takes it, delivers and gives it up. A sender that finds it taken puts its value in line
 * and announces that; the holder looks for the announcement when it gives the turn up. Each value must be delivered once, one
 * at a time, and none may stay in line.
 *
 * With ONESIDED the holder gives the turn up with a plain store, which waits in its store buffer while it already looks for
 * the announcement. The announcing thread then issues a heavy fence (membarrier), which drains all buffers.
 *
 * Scripts/verify.sh checks both forms, and that each of the faults BREAK=1... makes its form fail.
 */
#define THREADS 3
#define VALUES 2 /* that each thread sends */

byte holder = 0;         /* 0, or the thread's number plus one */
bool line = false;       /* announced */
bool giving[THREADS];    /* the store of 0 to `holder` waits in the thread's buffer */
bool calling[THREADS];   /* the store of true to `line` waits there */
byte waiting = 0;        /* values in line; guarded by a lock, so never in a buffer */
byte delivering = 0, delivered = 0, done = 0;

/* Stores leave a buffer in the order they were made; a thread has at most one here. */
inline drain(t) {
    if :: giving[t] -> holder = 0; giving[t] = false :: else fi;
    if :: calling[t] -> line = true; calling[t] = false :: else fi
}

active proctype buffers() {
    end: do
    :: atomic { giving[0] -> holder = 0; giving[0] = false }
    :: atomic { giving[1] -> holder = 0; giving[1] = false }
    :: atomic { giving[2] -> holder = 0; giving[2] = false }
    :: atomic { calling[0] -> line = true; calling[0] = false }
    :: atomic { calling[1] -> line = true; calling[1] = false }
    :: atomic { calling[2] -> line = true; calling[2] = false }
    od
}

inline deliver() { delivering++; assert(delivering == 1); delivered++; delivering-- }

/* A compare-and-exchange; drains, as every locked instruction. */
#ifdef ONESIDED
#define FREE (holder == 0)
#else
#define FREE (holder == 0 && !line)
#endif
inline take(t) { atomic { drain(t); taken = false; if :: FREE -> holder = t + 1; taken = true :: else fi } }

#ifdef ONESIDED
inline give_up(t) {
    atomic { drain(t); giving[t] = true };
#if BREAK == 1
    over = true               /* does not look */
#else
    over = !line;             /* the store may still be in the buffer */
    if :: !over -> take(t); over = !taken :: else fi
#endif
}
inline begin_line(t) { atomic { drain(t); line = false } }
inline announce(t) {
    take(t);
    if
    :: taken
    :: else ->
        atomic { drain(t); calling[t] = true };
#if BREAK != 2 /* 2: the fence is refused */
        atomic { drain(0); drain(1); drain(2) };
#endif
#if BREAK == 3
        taken = false         /* does not try again */
#else
        take(t)
#endif
    fi
}
#else
/* `line` is a bit of the same word as `holder`. */
inline give_up(t) {
#if BREAK == 1
    over = !line; if :: over -> holder = 0 :: else fi /* looks, and then gives up */
#else
    atomic { over = !line; if :: over -> holder = 0 :: else fi }
#endif
}
inline begin_line(t) { atomic { holder = t + 1; line = false } }
#if BREAK == 2
#define LATE /* clears the announcement after it has emptied the line, not before */
#endif
inline announce(t) {
#if BREAK == 3
    taken = FREE; line = true /* reads and then writes */
#else
    atomic { taken = FREE; line = true }
#endif
}
#endif

inline drain_line(t) {
    over = false;
    do
    :: over -> break
    :: else ->
#ifndef LATE
        begin_line(t);
#endif
        do
        :: atomic { waiting > 0 -> drain(t); waiting-- }; deliver()
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
    byte sent = 0;
    bool taken, over;
    do
    :: sent == VALUES -> break
    :: else ->
        take(t);
        if
        :: taken ->
            deliver();
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
