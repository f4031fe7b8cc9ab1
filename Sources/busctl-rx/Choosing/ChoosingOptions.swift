import Filter
import Glibc
import JournalBridge
import Records

/// journalctl's ways of choosing entries. Each is a piece of the filter.
struct ChoosingOptions {
    static var options: [CommandOption<Self>] {
        [
            .value(
                "-u",
                "--unit",
                of: "unit",
                brief: "choose a unit, or units: nginx, 'web-*'",
                help:
                    "Choose what is about this unit, or about all units that a pattern matches: nginx, 'web-*'. Of several, any."
            ) { $0.choice.units.append($1) },
            .value("--user-unit", of: "unit", help: "The same as --unit for units of your own service manager.") {
                $0.choice.userUnits.append($1)
            },
            .value(
                "-p",
                "--priority",
                of: "level|a..b",
                brief: "choose this severity and worse, or a range",
                help: "Choose this severity and all that are worse, or a range."
            ) { $0.choice.priorities = try EntryChoice.priorities(written: $1) },
            .value("-t", "--identifier", of: "name", help: "Choose what has this identifier. Of several, any.") {
                $0.choice.identifiers.append($1)
            },
            .value("-T", "--exclude-identifier", of: "name", help: "Leave out what has this identifier.") {
                $0.choice.excludedIdentifiers.append($1)
            },
            .value(
                "--facility",
                of: "name,…",
                help: "Choose what is of these facilities, by name or number: auth,daemon."
            ) { $0.choice.facilities += try EntryChoice.facilities(written: $1) },
            .flag(
                "-k",
                "--dmesg",
                brief: "choose messages of the kernel",
                help: "Choose messages of the kernel, of all boots."
            ) { $0.choice.isOfKernel = true },
            .value(
                "-g",
                "--grep",
                of: "regex",
                brief: "choose messages that match",
                help:
                    "Choose messages that match the regular expression. An expression without a capital letter ignores case."
            ) { $0.choice.pattern = $1 },
            // Its value is joined to it, as in journalctl.
            .optionalValue(
                "--case-sensitive",
                of: "yes|no",
                implied: "yes",
                where: { _ in false },
                help: "Let -g tell capitals from small letters (yes), or not (no), whatever the expression is."
            ) { $0.choice.isCaseSensitive = try isSensitive($1) },
            .value(
                "-S",
                "--since",
                of: "time",
                brief: "choose from this time on: today, -2h, '10min ago'",
                help:
                    "Choose what was received at this time or later: '2026-11-23 18:00', yesterday, -2h, '10min ago', @1700000000."
            ) { $0.choice.since = try RecordTime(argument: $1) },
            .value(
                "-U",
                "--until",
                of: "time",
                brief: "choose up to this time",
                help:
                    "Choose what was received at this time or earlier. When the time has come, following ends; if it has passed, "
                    + "nothing is followed."
            ) { $0.choice.until = try RecordTime(argument: $1) },
            .optionalValue(
                "-b",
                "--boot",
                of: "id|±n",
                implied: "0",
                where: isBoot,
                brief: "choose the present boot, or another",
                help:
                    "Choose one boot: the present one, -1 for the one before, 1 for the first one in the journal, or a boot id."
            ) { $0.choice.boot = try boot($1) },
            .value(
                "--invocation",
                of: "id|±n",
                help: """
                    Choose one invocation, from a start to the next, of the unit that -u or --user-unit names: 0 for the last one, -1 for \
                    the one before, 1 for the first one in the journal, or an invocation id, which needs no unit.
                    """
            ) { $0.choice.invocation = try invocation($1) },
            .flag("-I", help: "The same as --invocation 0.") { $0.lastInvocation = true },
        ]
    }

    var choice = EntryChoice()
    private var lastInvocation = false

    /// Whether the time of `--until` has passed, so that nothing that comes is wanted.
    var isOver: Bool { choice.until.map { $0 < .now } ?? false }

    /// Whether an argument after `-b` belongs to it: a boot, or a single word, which is no filter of a journal. As a
    /// wrong boot it gets the helpful message.
    @Sendable private static func isBoot(_ argument: String) -> Bool {
        PeriodChoice(argument) != nil || isWord(argument)
    }

    /// Letters and digits alone.
    static func isWord(_ argument: String) -> Bool {
        argument.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: false
            }
        } && !argument.isEmpty && argument != "true" && argument != "false"
    }

    private static func boot(_ argument: String) throws -> PeriodChoice {
        guard let choice = PeriodChoice(argument) else {
            throw BadValue(
                description:
                    "write -1 for the boot before this one, 1 for the first one in the journal, a boot's id, an id with"
                    + " such a number, or all"
            )
        }
        return choice
    }

    private static func invocation(_ argument: String) throws -> PeriodChoice {
        guard let choice = PeriodChoice(argument) else {
            throw BadValue(
                description:
                    "write 0 for the last invocation of the unit, -1 for the one before it, 1 for the first one in the journal,"
                    + " an invocation's id, an id with such a number, or all"
            )
        }
        return choice
    }

    /// The value of `--case-sensitive`, as systemd reads a truth value.
    private static func isSensitive(_ typed: String) throws -> Bool {
        guard let value = Bool(truth: typed) else {
            throw BadValue(description: "write yes or no, or leave it out for yes")
        }
        return value
    }

    func validate() throws {
        if let since = choice.since, let until = choice.until, since > until {
            throw ValidationError("--since is later than --until, so that nothing is in between.")
        }
        for (option, names) in [
            ("--unit", choice.units), ("--user-unit", choice.userUnits), ("--identifier", choice.identifiers),
            ("--exclude-identifier", choice.excludedIdentifiers),
        ] where names.contains("") {
            throw ValidationError("\(option) was given an empty name. Write the name of what to show.")
        }
        if lastInvocation, choice.invocation != nil {
            throw ValidationError("-I and --invocation name an invocation each. Give one of them.")
        }
        if whole.invocation?.isCounted == true { _ = try requireUnit(for: lastInvocation ? "-I" : "--invocation") }
        // Shown as they were typed, and not as the filter has them.
        for pattern in choice.units { try Self.require("--unit", pattern, UnitNames.system([pattern])) }
        for pattern in choice.userUnits { try Self.require("--user-unit", pattern, UnitNames.user([pattern])) }
        if let grep = choice.pattern, let search = choice.search { try Self.require("--grep", grep, search) }
    }

    /// The same, with the invocation that was asked for in one way or the other.
    private var whole: EntryChoice {
        var choice = choice
        if lastInvocation { choice.invocation = .current }
        return choice
    }

    /// The one unit whose invocations are counted.
    ///
    /// - Parameter option: the option that counts them.
    func requireUnit(for option: String) throws -> InvokedUnit {
        guard let unit = choice.invokedUnit else {
            throw ValidationError(
                "\(option) counts the invocations of one unit. Name it with -u or --user-unit, and without a pattern."
            )
        }
        return unit
    }

    /// Refuses a boot, and an invocation by its number, where no source has any, and a boot where the sources have
    /// boots of several machines.
    func requireJournal(in sources: SourceOptions) throws {
        if choice.boot != nil, sources.boots != nil, sources.merge {
            throw ValidationError(
                "--boot counts the boots of one machine, and --merge reads all. Write 'boot == \"…\"' for one of them."
            )
        }
        guard sources.boots == nil else { return }
        if choice.boot != nil { throw ValidationError("--boot needs a journal. For a stream write 'boot == \"…\"'.") }
        if whole.invocation?.isCounted == true {
            throw ValidationError(
                "An invocation is counted in a journal. For a stream write its id, as in --invocation 68b4…."
            )
        }
    }

    /// The pieces of the filter, with the boots and invocations that the options name looked up.
    func pieces(for sources: SourceOptions) throws -> [String] {
        let meant = meant(for: sources).whole
        return try Self.showingErrors { () throws(EntryChoiceError) in
            meant.pieces(try meant.resolve(in: sources.boots))
        }
    }

    /// Shows an error, and ends with its status.
    static func showingErrors<Value>(
        _ body: () throws(EntryChoiceError) -> Value
    ) throws(ExitStatus) -> Value {
        do throws(EntryChoiceError) {
            return try body()
        } catch {
            StandardError.report(error.description)
            if case .notFound = error { throw .nothingMatched }
            throw .sourceLost
        }
    }

    /// The same for the given sources: with `--user` alone `-u` means units of the user's own service manager.
    func meant(for sources: SourceOptions) -> ChoosingOptions {
        guard sources.isOfUserAlone, !choice.units.isEmpty else { return self }
        var choosing = self
        choosing.choice.userUnits += choice.units
        choosing.choice.units = []
        return choosing
    }

    private static func require(_ option: String, _ value: String, _ expression: String) throws {
        guard expression.contains("=~") else { return }
        do throws(FilterError) {
            _ = try CompiledFilter(expression, schema: JournalSchema())
        } catch {
            let reason = SmartCase.asTyped(error.message, value)
            throw ValidationError("The value '\(value)' is invalid for '\(option)': \(reason)")
        }
    }

    /// Whether there is any of them.
    var areGiven: Bool { choice.boot != nil || whole.invocation != nil || !choice.pieces(EntryChoice.IDs()).isEmpty }
}
