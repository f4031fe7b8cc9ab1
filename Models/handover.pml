/* The line between a sender and the drain of `deliver(on:)` (Sources/Bus/Delivery/Handover/HandoverQueue.swift), and a third thread
 * that may dispose of the subscription at any time.
 *
 * The sender puts a value into a place and counts it with one locked instruction. The drain takes, under the lock, all that is
 * counted, and leaves the line when there is nothing. A sender that finds the line full looks again under the lock before it
 * pauses. Each value must be in its place when it is taken, the line must not hold more than it may, there must be one drain
 * at a time, nothing may be delivered to a chain that was freed, and without a disposal everything is heard: a thread that waits
 * for ever is what Spin reports as an invalid end.
 *
 * A value that is put into a place waits in the sender's store buffer until its next locked instruction, or drains at any time.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#ifndef VALUES
#define VALUES 5
#endif
#define LIMIT 2

byte waiting = 0;         /* the word: how many values are counted, */
bool attended = false;    /* and whether somebody sees to them */
bool filled[VALUES];      /* a value is in its place, as all threads see it */
bool storing = false;     /* the latest value is still in the sender's buffer */
byte latest = 0;
bool locked = false;
bool paused = false;
bool closed = false;
bool request = false;     /* the sender is to be called */
bool called = false;
bool ended = false;       /* the end is noted */
byte scheduled = 0;       /* drains */
byte delivering = 0;      /* who may touch what is below, at this moment */
byte heard = 0;
bool endHeard = false;
bool freed = false;

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }
inline drained() { if :: storing -> filled[latest] = true; storing = false :: else fi }

active proctype buffer() {
    end: do
    :: atomic { storing -> filled[latest] = true; storing = false }
    od
}

inline attend(isFirst) { atomic { isFirst = !attended; attended = true } }

active proctype sender() {
    byte sent = 0, room = LIMIT;
    bool wasAttended, first, wait;
    do
    :: sent == VALUES || closed -> break
    :: else ->
        if
        :: room == 0 -> lock(); room = LIMIT - waiting; unlock(); assert(room > 0)
        :: else
        fi;
#if BREAK != 1
        atomic { latest = sent; storing = true };
        atomic { drained(); wasAttended = attended; room = LIMIT - waiting - 1; waiting++ };
#else
        /* Counts the value before it is in its place. */
        atomic { wasAttended = attended; room = LIMIT - waiting - 1; waiting++ };
        atomic { latest = sent; storing = true };
        atomic { drained() };
#endif
        assert(waiting <= LIMIT);
        sent++;
        if
        :: !wasAttended ->
#if BREAK != 4
            attend(first);
#else
            first = true; attended = true; /* does not look whether somebody was quicker */
#endif
            if :: first -> scheduled++ :: else fi
        :: else
        fi;
        if
        :: room == 0 ->
#if BREAK != 2
            lock(); room = LIMIT - waiting; if :: room == 0 -> paused = true :: else fi; unlock()
#else
            lock(); paused = true; unlock() /* relies on what it knew */
#endif
        :: else
        fi;
        if
        :: paused ->
            lock(); wait = paused; if :: wait -> request = true :: else fi; unlock();
            if
            :: wait -> if :: called -> called = false :: closed fi
            :: else
            fi
        :: else
        fi
    od;
    lock();
    ended = true;
    if :: !endHeard -> attend(first) :: else -> first = false fi;
    unlock();
    if :: first -> scheduled++ :: else fi
}

active proctype drain() {
    byte taken;
    bool isOver, frees, takesEnd, calls, isEmpty;
    end: do
    :: atomic { scheduled > 0 -> scheduled-- };
        do
        :: lock();
            frees = closed;
            isOver = frees;
            isEmpty = (waiting == 0 && !ended);
            if
            :: !isOver && isEmpty ->
#if BREAK != 3
                atomic { if :: waiting == 0 -> attended = false; isOver = true :: else fi }
#else
                attended = false; isOver = true /* does not look whether a value came */
#endif
            :: else
            fi;
            if
            :: isOver -> unlock(); break
            :: else
            fi;
            atomic { taken = waiting; waiting = 0 };
            takesEnd = ended; ended = false;
            calls = paused && request;
            if :: paused -> paused = false; request = false :: else fi;
            unlock();
            if :: calls -> called = true :: else fi;
            do
            :: taken > 0 && !closed ->
                atomic { delivering++; assert(delivering == 1 && !freed); assert(filled[heard]); heard++ };
                taken--;
                atomic { delivering-- }
            :: else -> break
            od;
            if
            :: takesEnd && !closed -> assert(heard == VALUES); endHeard = true; closed = true
            :: else
            fi
        od;
        /* A closed line is freed by the drain, which does not leave it. */
        if :: frees -> atomic { assert(delivering == 0 && !freed); freed = true } :: else fi
    od
}

/* Disposes of it, or does not. */
active proctype disposer() {
    bool first;
    if
    :: true
    :: true ->
        closed = true;
        lock();
        attend(first);
        unlock();
        if :: first -> atomic { assert(delivering == 0 && !freed); freed = true } :: else fi
    fi;
    /* Either way it ends, and what is below is freed. */
    freed
}
