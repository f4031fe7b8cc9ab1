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
            ) { $0.unit.append($1) },
            .value("--user-unit", of: "unit", help: "The same as --unit for units of your own service manager.") {
                $0.userUnit.append($1)
            },
            .value(
                "-p",
                "--priority",
                of: "level|a..b",
                brief: "choose this severity and worse, or a range",
                help: "Choose this severity and all that are worse, or a range."
            ) { $0.priority = try PriorityChoice(argument: $1) },
            .value("-t", "--identifier", of: "name", help: "Choose what has this identifier. Of several, any.") {
                $0.identifier.append($1)
            },
            .value("-T", "--exclude-identifier", of: "name", help: "Leave out what has this identifier.") {
                $0.excludeIdentifier.append($1)
            },
            .value(
                "--facility",
                of: "name,…",
                help: "Choose what is of these facilities, by name or number: auth,daemon."
            ) { $0.facility.append(try FacilityChoice(argument: $1)) },
            .flag(
                "-k",
                "--dmesg",
                brief: "choose messages of the kernel",
                help: "Choose messages of the kernel, of all boots."
            ) { $0.dmesg = true },
            .value(
                "-g",
                "--grep",
                of: "regex",
                brief: "choose messages that match",
                help:
                    "Choose messages that match the regular expression. An expression without a capital letter ignores case."
            ) { $0.grep = $1 },
            // Its value is joined to it, as in journalctl.
            .optionalValue(
                "--case-sensitive",
                of: "yes|no",
                implied: "yes",
                where: { _ in false },
                help: "Let -g tell capitals from small letters (yes), or not (no), whatever the expression is."
            ) { $0.caseSensitive = try SmartCase.choice($1) },
            .value(
                "-S",
                "--since",
                of: "time",
                brief: "choose from this time on: today, -2h, '10min ago'",
                help:
                    "Choose what was received at this time or later: '2026-11-23 18:00', yesterday, -2h, '10min ago', @1700000000."
            ) { $0.since = try RecordTime(argument: $1) },
            .value(
                "-U",
                "--until",
                of: "time",
                brief: "choose up to this time",
                help: "Choose what was received at this time or earlier. When the time has come, following ends."
            ) { $0.until = try RecordTime(argument: $1) },
            .optionalValue(
                "-b",
                "--boot",
                of: "id|±n",
                implied: "0",
                where: BootChoice.isMeant,
                brief: "choose the present boot, or another",
                help:
                    "Choose one boot: the present one, -1 for the one before, 1 for the first one in the journal, or a boot id."
            ) { $0.boot = try BootChoice(argument: $1) },
            .value(
                "--invocation",
                of: "id|±n",
                help: """
                    Choose one invocation, from a start to the next, of the unit that -u or --user-unit names: 0 for the last one, -1 for \
                    the one before, 1 for the first one in the journal, or an invocation id, which needs no unit.
                    """
            ) { $0.invocation = try InvocationChoice(argument: $1) },
            .flag("-I", help: "The same as --invocation 0.") { $0.lastInvocation = true },
        ]
    }

    var unit: [String] = []
    var userUnit: [String] = []
    var priority: PriorityChoice?
    var identifier: [String] = []
    var excludeIdentifier: [String] = []
    var facility: [FacilityChoice] = []
    var dmesg = false
    var grep: String?
    var caseSensitive: Bool?
    var since: RecordTime?
    var until: RecordTime?
    var boot: BootChoice?
    var invocation: InvocationChoice?
    var lastInvocation = false

    func validate() throws {
        if let since, let until, since.microseconds > until.microseconds {
            throw ValidationError("--since is later than --until, so that nothing is in between.")
        }
        for (option, names) in [
            ("--unit", unit), ("--user-unit", userUnit), ("--identifier", identifier),
            ("--exclude-identifier", excludeIdentifier),
        ] where names.contains("") {
            throw ValidationError("\(option) was given an empty name. Write the name of what to show.")
        }
        if lastInvocation, invocation != nil {
            throw ValidationError("-I and --invocation name an invocation each. Give one of them.")
        }
        if chosenInvocation?.needsUnit == true { _ = try requireUnit(for: lastInvocation ? "-I" : "--invocation") }
        // Shown as they were typed, and not as the filter has them.
        for pattern in unit { try Self.require("--unit", pattern, UnitChoice.system([pattern])) }
        for pattern in userUnit { try Self.require("--user-unit", pattern, UnitChoice.user([pattern])) }
        if let grep { try Self.require("--grep", grep, search(grep)) }
    }

    /// The invocation that was asked for, in one way or the other.
    private var chosenInvocation: InvocationChoice? { lastInvocation ? .last : invocation }

    /// The one unit whose invocations are counted.
    ///
    /// - Parameter option: the option that counts them.
    func requireUnit(for option: String) throws -> InvokedUnit {
        guard unit.count + userUnit.count == 1, let name = (unit + userUnit).first, !UnitChoice.isPattern(name) else {
            throw ValidationError(
                "\(option) counts the invocations of one unit. Name it with -u or --user-unit, and without a pattern."
            )
        }
        return unit.isEmpty ? .user(UnitChoice.name(name), getuid()) : .system(UnitChoice.name(name))
    }

    /// Refuses a boot, and an invocation by its number, where no source has any, and a boot where the sources have
    /// boots of several machines.
    func requireJournal(in sources: SourceOptions) throws {
        if boot != nil, sources.boots != nil, sources.merge {
            throw ValidationError(
                "--boot counts the boots of one machine, and --merge reads all. Write 'boot == \"…\"' for one of them."
            )
        }
        guard sources.boots == nil else { return }
        if boot != nil { throw ValidationError("--boot needs a journal. For a stream write 'boot == \"…\"'.") }
        if chosenInvocation?.needsUnit == true {
            throw ValidationError(
                "An invocation is counted in a journal. For a stream write its id, as in --invocation 68b4…."
            )
        }
    }

    /// Looks up the boots and invocations that the options name.
    ///
    /// - Parameter source: the journal that is read; `nil` if none is.
    func resolve(in source: JournalSource?) throws -> ResolvedIDs {
        let boot = try source.flatMap { try self.boot?.resolve(in: $0) }
        guard let chosen = chosenInvocation else { return ResolvedIDs(boot: boot) }
        let unit = chosen.needsUnit ? try requireUnit(for: "--invocation") : nil
        return ResolvedIDs(boot: boot, invocation: try chosen.resolve(of: unit, in: source, boot: boot))
    }

    /// The same for the given sources: with `--user` alone `-u` means units of the user's own service manager.
    func meant(for sources: SourceOptions) -> ChoosingOptions {
        guard sources.isOfUserAlone, !unit.isEmpty else { return self }
        var choosing = self
        choosing.userUnit += unit
        choosing.unit = []
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

    /// The condition for entries of an invocation, or about it.
    private static func invocation(_ id: String) -> String {
        [
            "_SYSTEMD_INVOCATION_ID", "INVOCATION_ID", "USER_INVOCATION_ID", "OBJECT_SYSTEMD_INVOCATION_ID",
        ].map { "\($0) == \(FilterText.quoted(id))" }.joined(separator: " || ")
    }

    func search(_ grep: String) -> String {
        "message =~ \(FilterText.quoted(SmartCase.pattern(grep, isSensitive: caseSensitive)))"
    }

    /// Whether there is any of them.
    var areGiven: Bool { boot != nil || chosenInvocation != nil || !pieces(ResolvedIDs()).isEmpty }

    /// The parts of the filter, all of which must be true.
    ///
    /// - Parameter ids: of the boot and of the invocation that were asked for.
    func pieces(_ ids: ResolvedIDs) -> [String] {
        var pieces: [String] = []
        let units = [unit.isEmpty ? nil : UnitChoice.system(unit), userUnit.isEmpty ? nil : UnitChoice.user(userUnit)]
            .compactMap { $0 }
        if !units.isEmpty { pieces.append(units.joined(separator: " || ")) }
        if let expression = priority?.expression { pieces.append(expression) }
        if !identifier.isEmpty { pieces.append("identifier in \(FilterText.list(identifier))") }
        if !excludeIdentifier.isEmpty {
            pieces.append("!has(SYSLOG_IDENTIFIER) || !(identifier in \(FilterText.list(excludeIdentifier)))")
        }
        if !facility.isEmpty {
            let numbers = facility.flatMap(\.numbers).map(String.init).joined(separator: ", ")
            pieces.append("SYSLOG_FACILITY in [\(numbers)]")
        }
        if dmesg { pieces.append("_TRANSPORT == \"kernel\"") }
        if let grep { pieces.append(search(grep)) }
        if let since { pieces.append("__REALTIME_TIMESTAMP >= \(since.microseconds)") }
        if let until { pieces.append("__REALTIME_TIMESTAMP <= \(until.microseconds)") }
        if let boot = ids.boot { pieces.append("boot == \(FilterText.quoted(boot))") }
        if let invocation = ids.invocation { pieces.append(Self.invocation(invocation)) }
        return pieces
    }
}
