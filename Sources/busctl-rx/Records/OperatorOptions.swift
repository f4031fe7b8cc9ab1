import Records

/// The library's operators on the records, each option one of them, and the action for each record.
struct OperatorOptions {
    static var options: [CommandOption<Self>] {
        [
            .value(
                "--timeout",
                of: "duration",
                help:
                    "End with status 124 when no matching entry came for this long: 500ms, 10s, 1m30s, 2h. With --by, when none came "
                    + "with a value that was there before."
            ) { $0.timeout = try Duration(argument: $1) },
            .value(
                "--for",
                of: "duration",
                help:
                    "End after this time. With --by, show the records of each value for this time after its first, and leave out later ones."
            ) { $0.length = try Duration(argument: $1) },
            .value("--delay", of: "duration", help: "Delay each record by this duration.") {
                $0.delay = try Duration(argument: $1)
            },
            .value(
                "--throttle",
                of: "duration",
                help: "Show at most one record per duration: the first, and the last at its end."
            ) { $0.throttle = try Duration(argument: $1) },
            .value("--debounce", of: "duration", help: "Show the last record once no other came for this duration.") {
                $0.debounce = try Duration(argument: $1)
            },
            .value("--sample", of: "duration", help: "Show the last record once per duration, if there was one.") {
                $0.sample = try Duration(argument: $1)
            },
            .value(
                "--rate",
                of: "n/duration",
                help:
                    "Show at most this many records in a time. Excess records are queued, then dropped; with --by they are dropped."
            ) { $0.rate = try RecordTiming.rate(argument: $1) },
            .flag("--distinct", help: "Leave out a record that equals the one before it.") {
                $0.distinct = true
            },
            .value(
                "--by",
                of: "field",
                help:
                    "Do --timeout, --for, --delay, --throttle, --debounce, --sample, --rate and --distinct for each value of this field. "
                    + "Of more than 4,096 values, the one that was silent longest is forgotten and begins anew; --timeout waits for the "
                    + "first 4,096."
            ) { $0.by = try FieldList.one($1) },
            .value("--after-match", of: "expression", help: "Begin with the first record for which this is true.") {
                $0.afterMatch = $1
            },
            .value("--until-match", of: "expression", help: "End with the first record for which this is true.") {
                $0.untilMatch = $1
            },
            .value(
                "--expect",
                of: "expression",
                help:
                    "Wait for a record for which this is true: status 0 when it has come, else 1. Only new records count, unless -n or -S is given."
            ) { $0.expect = $1 },
            .value("--within", of: "duration", help: "End with status 124 when --expect has waited this long.") {
                $0.within = try Duration(argument: $1)
            },
            .value(
                "--absent",
                of: "expression",
                help:
                    "End with status 1 when a record comes for which this is true, with 0 when none came until the end, which --for sets, "
                    + "and with 3 when the output is closed before."
            ) { $0.absent = $1 },
            .value(
                "--exec",
                of: "command",
                brief: "run a command for each record",
                help: """
                    Run this command for each record, in place of showing it. It reads the record, as JSON or as -o says, and finds \
                    it in its environment: RECORD_MESSAGE, RECORD_SOURCE, RECORD_TIME, RECORD_SEVERITY, RECORD_SEQUENCE, and RECORD_ with \
                    the name of each field, as RECORD__PID is. There is no shell: write sh -c '…' for one.
                    """
            ) { $0.exec = try CommandArgument(argument: $1) },
            .value(
                "--jobs",
                of: "count",
                help:
                    "Run at most so many commands of --exec at once. Default: 1, in the order of the records. Further records wait."
            ) { $0.jobs = try WholeNumber.parse($1, in: 1...256, example: "--jobs 4") },
        ]
    }

    var timeout: Duration?
    var length: Duration?
    var delay: Duration?
    var throttle: Duration?
    var debounce: Duration?
    var sample: Duration?
    var rate: (count: Int, duration: Duration)?
    var distinct = false
    var by: FieldPath?
    var afterMatch: String?
    var untilMatch: String?
    var expect: String?
    var within: Duration?
    var absent: String?
    var exec: CommandArgument?
    var jobs: Int?
    func validate() throws {
        try validateTiming()
        try validateEvents()
    }

    private func validateTiming() throws {
        let holding = [("--throttle", throttle), ("--debounce", debounce), ("--sample", sample)].filter { $0.1 != nil }
        if holding.count > 1 {
            throw ValidationError(
                "\(holding.map(\.0).joined(separator: " and ")) choose differently. Give one of them."
            )
        }
        if by != nil, timeout == nil, !timing.isUsed {
            throw ValidationError(
                "--by says for what --timeout, --for, --delay, --throttle, --debounce, --sample, --rate or --distinct is done. "
                    + "Give one of them."
            )
        }
    }

    private func validateEvents() throws {
        if expect != nil, absent != nil {
            throw ValidationError("--expect and --absent say opposite things with one exit status. Give one of them.")
        }
        if within != nil, expect == nil {
            throw ValidationError("--within says how long --expect waits. Give it too, or --for in its place.")
        }
        if jobs != nil, exec == nil {
            throw ValidationError("--jobs says how many commands of --exec run at once. Give it too.")
        }
    }

    /// Whether records have to be looked at one by one.
    var isTimed: Bool { by != nil || timing.isUsed }

    var timing: RecordTiming {
        var timing = RecordTiming(field: by)
        (timing.length, timing.delay, timing.isDistinct) = (length, delay, distinct)
        (timing.throttle, timing.debounce, timing.sample) = (throttle, debounce, sample)
        timing.rate = rate
        return timing
    }

    /// Whether a run begins or ends with an event.
    var waitsForEvents: Bool { afterMatch != nil || untilMatch != nil || isQuestion }

    /// Whether the exit status says if something came. Old records do not count for that.
    var isQuestion: Bool { expect != nil || absent != nil }
}
