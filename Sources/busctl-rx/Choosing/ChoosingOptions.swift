import ArgumentParser
import Filter
import Glibc
import JournalBridge

/// journalctl's ways of choosing entries. Each is a piece of the filter.
struct ChoosingOptions: ParsableArguments {
    static let names = OptionTable(
        values: [
            "-u", "--unit", "--user-unit", "-p", "--priority", "-t", "--identifier", "-T", "--exclude-identifier",
            "--facility", "-g", "--grep", "-S", "--since", "-U", "--until", "--invocation",
        ],
        flags: ["-k", "--dmesg", "-I"],
        optional: [
            "-b": ("0", BootChoice.isMeant), "--boot": ("0", BootChoice.isMeant),
            // Its value is joined to it, as in journalctl.
            "--case-sensitive": ("yes", { _ in false }),
        ]
    )

    @Option(
        name: [.customShort("u"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Choose what is about this unit, or about all units that a pattern matches: nginx, 'web-*'. Of several, any.",
            valueName: "unit"
        )
    )
    var unit: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The same as --unit for units of your own service manager.", valueName: "unit")
    )
    var userUnit: [String] = []

    @Option(
        name: [.customShort("p"), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Choose this severity and all that are worse, or a range.", valueName: "level|a..b"),
        transform: PriorityChoice.init
    )
    var priority: PriorityChoice?

    @Option(
        name: [.customShort("t"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Choose what has this identifier. Of several, any.", valueName: "name")
    )
    var identifier: [String] = []

    @Option(
        name: [.customShort("T"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Leave out what has this identifier.", valueName: "name")
    )
    var excludeIdentifier: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Choose what is of these facilities, by name or number: auth,daemon.", valueName: "name,…"),
        transform: FacilityChoice.init
    )
    var facility: [FacilityChoice] = []

    @Flag(name: [.customShort("k"), .long], help: "Choose messages of the kernel, of all boots.")
    var dmesg = false

    @Option(
        name: [.customShort("g"), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Choose messages that match the regular expression. An expression without a capital letter ignores case.",
            valueName: "regex"
        )
    )
    var grep: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Let -g tell capitals from small letters (yes), or not (no), whatever the expression is.",
            valueName: "yes|no"
        ),
        transform: SmartCase.choice
    )
    var caseSensitive: Bool?

    @Option(
        name: [.customShort("S"), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Choose what was received at this time or later: '2026-11-23 18:00', yesterday, -2h, '10min ago', @1700000000.",
            valueName: "time"
        ),
        transform: TimeArgument.init
    )
    var since: TimeArgument?

    @Option(
        name: [.customShort("U"), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Choose what was received at this time or earlier. When the time has come, following ends.",
            valueName: "time"
        ),
        transform: TimeArgument.init
    )
    var until: TimeArgument?

    @Option(
        name: [.customShort("b"), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Choose one boot: the present one, -1 for the one before, 1 for the first one in the journal, or a boot id.",
            valueName: "id|±n"
        ),
        transform: BootChoice.init
    )
    var boot: BootChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Choose one invocation, from a start to the next, of the unit that -u or --user-unit names: 0 for the last one, -1 for \
            the one before, 1 for the first one in the journal, or an invocation id, which needs no unit.
            """,
            valueName: "id|±n"
        ),
        transform: InvocationChoice.init
    )
    var invocation: InvocationChoice?

    @Flag(name: .customShort("I"), help: "The same as --invocation 0.")
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
