/* The time to live of a lease in a key of which only revisions are compared (Sources/Bridges/NATS/Jobs/NATSJobLease.swift, with the holder's
 * side in Sources/Timers/Jobs/Deciding/JobMachine+Lease.swift): two instances, a server that carries out what it is asked at any later time,
 * answers that get lost, and one clock for all that goes on between any two steps. The instances use it to measure spans of time alone,
 * so what holds with it holds with clocks that go equally fast; the tenth of the time to live by which a holder stops earlier is for those
 * that do not, and is left out.
 *
 * What must hold: there is no moment at which both have the lease as far as they know.
 *
 * Scripts/verify.sh checks the model, and that each of the faults BREAK=1... makes it fail.
 */
#define LIVE 2
#define END 5
#define WRITES 4

byte now = 1;
byte revision = 0;
byte holder = 0;                 /* who is named by the key's value; 0 for nobody */
byte until[3];                   /* up to when an instance has the lease, as far as it knows */

#define HELD(i) (now < until[i])

#define ALONE assert(!(HELD(1) && HELD(2)))

/* A write in place of a revision. */
inline write(over, who) {
    atomic {
        if
#if BREAK == 3
        :: revision < WRITES ->
#else
        :: revision == over && revision < WRITES ->
#endif
            revision++; holder = who; taken = true; at = revision
        :: else -> taken = false
        fi
    }
}

/* From when the time to live counts: from before the request was sent. */
inline hold() {
    atomic {
#if BREAK == 1
        until[me] = now + LIVE;
#else
        until[me] = sent + LIVE;
#endif
        mine = at;
        ALONE
    }
}

proctype instance(byte me) {
    byte sent, mine = 0, at, read, who, seen = 0, since = 0;
    bool taken, unclaimed = false;

    do
    :: now < END && !HELD(me) ->
        atomic { sent = now; mine = 0; until[me] = 0 };
        atomic { read = revision; who = holder };
        if
        :: who == 0 || (who == me && unclaimed) -> goto take
#if BREAK == 4
        :: who != 0 && seen == read && seen != 0 && sent + 1 - since >= LIVE -> goto take
#else
        :: who != 0 && seen == read && seen != 0 && sent - since >= LIVE -> goto take
#endif
        :: else ->
            if
            :: who != 0 && seen != read ->
                seen = read;
#if BREAK == 2
                since = sent
#else
                atomic { since = now }
#endif
            :: else
            fi;
            goto next
        fi;
take:
        write(read, me);
        if
        :: taken -> unclaimed = false; hold()
        :: taken -> unclaimed = true           /* the answer is lost */
        :: !taken
        fi;
next:
        atomic { read = 0; who = 0; at = 0; sent = 0; taken = false }
    :: now < END && HELD(me) ->
        /* A renewal. It may be carried out when the lease is over; then its answer is not heard. */
        sent = now;
        write(mine, me);
        if
        :: taken && HELD(me) -> hold()
        :: true                                /* the answer is lost, or too late */
        :: !taken ->
            /* The answer to an earlier renewal was lost, or the lease is another's. */
            atomic { read = revision; who = holder };
            atomic {
                if
                :: who == me && HELD(me) -> mine = read
                :: else -> until[me] = 0
                fi
            }
        fi;
        goto next
    :: now < END && HELD(me) ->
        /* It is given back: first by the holder, then in the key. */
        until[me] = 0;
        write(mine, 0);
        goto next
    :: now >= END -> break
    od
}

init {
    atomic { run instance(1); run instance(2) };
    do
    :: atomic { now < END -> now++ }
    :: else -> break
    od
}
