/// A named group of measurements, chosen with `--only`.
struct Benchmark: Sendable {
    let name: String
    let run: @Sendable (Settings, inout Report) throws -> Void
}

extension Benchmark {
    static let all: [Benchmark] = [
        chain, maps, erasure, flattening, combining, combiningMany, subject, subjectChain, bus, sharing, properties,
        hop, osSignals, bridges, tap, tapStrangers, dbus, nats, natsStored, natsForwarded, natsConsumed,
        timers, timerPopulation, jobPopulation, timerLateness, calendars, clockReads, waiting, filter, filterJournal,
        jsonLines,
        pipes, inotify, metering, journalWriting,
        startUp, journalScan, journalCat, journalJSON, journalLast, journalUnit, journalPriority, journalCounts,
        journalFacets, journalForward, explore,
        journalWindow, journalUnits, journalFirstLine, followerLatency,
    ]
}
