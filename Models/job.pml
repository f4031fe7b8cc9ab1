/* Lease, record and fencing number of a job (Sources/Timers/Jobs): three instances, a lease that may run out at any moment, whether its
 * holder knows it or not, a store that takes a record only in place of the one that was read, and something that the runs write to.
 *
 * An instance that has the lease reads the record, decides what to run, and has that written with a new number before the run begins.
 * It may crash between any two steps, and so may the lease be another's. Answers of the store may be lost: then the instance reads again.
 *
 * What must hold: no two runs begin with one number, a run that may not be repeated begins at most once for each time, and nothing takes a
 * write with a lower number than one it has taken, nor two runs' writes with the same.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#define INSTANCES 3
#define TIMES 2
#define NUMBERS 8
#define EXPIRIES 2
#define CRASHES 2

byte holder = 0;                 /* of the lease; 0 for nobody */
byte expiries = 0;
byte crashes = 0;

/* The record in the store. */
byte revision = 0;
byte number = 0;                 /* the highest that was given out */
byte done = 0;                   /* times that were decided */
byte running = 0;                /* the number of the run whose end is not written; 0 for none */

/* What the runs write to. */
byte highest = 0;
byte writer = 0;                 /* the run that wrote last, by a count of all runs */

byte begun[TIMES + 1];           /* how often each time's run began */
bool used[NUMBERS + 1];
byte runs = 0;

/* A write is taken if its number is not lower than any before. */
inline write() {
    atomic {
        if
#if BREAK == 3
        :: true ->
#else
        :: mine >= highest ->
#endif
            assert(mine > highest || (mine == highest && writer == self));
            highest = mine;
            writer = self
        :: else
        fi
    }
}

/* The program starts again, and knows nothing. The lease stays until it runs out. */
inline crash() {
    if
    :: atomic { crashes < CRASHES -> crashes++; mine = 0; self = 0; goto again }
    :: true
    fi
}

/* Takes a record in place of the one that was read. `taken` is the answer. */
inline save(newDone, newRunning, newNumber) {
    atomic {
        if
#if BREAK == 1
        :: true ->
#else
        :: revision == seen ->
#endif
            revision++;
            seen = revision;
            done = newDone;
            running = newRunning;
            number = newNumber;
            taken = true
        :: else -> taken = false
        fi
    }
}

proctype instance(byte me) {
    byte seen, seenDone, seenRunning, seenNumber, mine = 0, self = 0, next;
    bool taken;

again:
end_waiting:   /* The lease is with an instance that crashed. */
    do
    :: atomic { mine == 0 && holder == 0 && (done < TIMES || running != 0) -> holder = me };
read:
        atomic { seen = revision; seenDone = done; seenRunning = running; seenNumber = number };
        if
        :: seenRunning != 0 ->
            /* A run whose end nobody will tell. It is given up. */
#if BREAK == 4
            /* Whoever reads it takes it for a run of its own. */
            mine = seenRunning;
            seenDone = seenDone - 1;
            goto begin
#else
            save(seenDone, 0, seenNumber);
            if
            :: true                /* the answer is lost */
            :: taken
            :: !taken
            fi;
            goto read
#endif
        :: seenRunning == 0 && seenDone < TIMES && seenNumber < NUMBERS ->
            next = seenNumber + 1;
#if BREAK == 2
            /* The run begins before the record says so. */
            mine = next;
            atomic { runs++; self = runs; assert(!used[mine]); used[mine] = true; begun[seenDone + 1]++; assert(begun[seenDone + 1] == 1) };
            write();
            save(seenDone + 1, next, next);
            goto ending
#endif
            save(seenDone + 1, next, next);
            crash();
            if
            :: taken -> mine = next
            :: true -> goto read      /* refused, or the answer is lost */
            fi
        :: else ->
            /* Nothing is to be done. */
            atomic { if :: holder == me -> holder = 0 :: else fi };
            goto again
        fi;
begin:
        /* An answer that comes when the lease has run out, as far as the instance knows, begins no run. */
        atomic {
            runs++;
            self = runs;
            assert(!used[mine]);
            used[mine] = true;
            begun[seenDone + 1]++;
            assert(begun[seenDone + 1] == 1)
        };
        write();
        crash();
        write();
        crash();
        save(seenDone + 1, 0, mine);
ending:
        atomic { mine = 0; self = 0; if :: holder == me -> holder = 0 :: else fi }
    :: atomic { done >= TIMES && running == 0 -> break }
    :: atomic { number >= NUMBERS -> break }
    od
}

/* The lease runs out, or its holder crashes, and nobody else need know. */
init {
    atomic { run instance(1); run instance(2); run instance(3) };
    do
    :: atomic { holder != 0 && expiries < EXPIRIES -> expiries++; holder = 0 }
    :: break
    od
}
