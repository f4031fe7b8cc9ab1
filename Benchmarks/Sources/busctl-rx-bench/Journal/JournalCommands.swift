extension SampleJournal {
    /// Our command line on this journal, run to its end.
    func ours(_ settings: Settings, _ arguments: String...) -> Command { ours(settings, arguments) }

    func ours(_ settings: Settings, _ arguments: [String]) -> Command {
        Command([settings.command, "tail", "--directory", directory, "--no-follow"] + arguments)
    }

    func journalctl(_ arguments: String...) -> Command { journalctl(arguments) }

    func journalctl(_ arguments: [String]) -> Command {
        Command(["journalctl", "--directory", directory, "--no-pager", "--quiet"] + arguments)
    }

    /// One of the jobs of `journal-floor`.
    func bare(_ settings: Settings, _ job: String...) -> Command {
        Command([settings.tools + "/journal-floor", directory] + job)
    }
}

extension Report {
    /// Adds the result of a contest over a journal, with the bounds on the wall-clock time and the processor time, and
    /// 40 MB for the peak memory.
    mutating func add(
        _ outcome: ProcessContest.Outcome,
        named name: String,
        _ settings: Settings,
        wall: [Bound.Limit],
        cpu: [Bound.Limit]? = nil
    ) {
        func bounds(_ what: String, _ limits: [Bound.Limit], isEnforced: Bool = !settings.isQuick) -> [Bound] {
            limits.map { Bound(name: "\(name): \(what)", limit: $0, isEnforced: isEnforced) }
        }
        add(outcome.wall, bounds: bounds("wall", wall, isEnforced: !settings.isQuick && !settings.isBesideOtherWork))
        add(outcome.cpu, bounds: bounds("user + system", cpu ?? wall))
        add(outcome.peak, bounds: bounds("peak memory", [.median(atMost: 40)]))
    }
}
