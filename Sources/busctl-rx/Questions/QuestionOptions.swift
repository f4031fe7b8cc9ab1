import JournalBridge
import Records

/// The question to a journal, in place of showing its entries.
struct QuestionOptions {
    static var options: [CommandOption<Self>] {
        [
            .flag(
                "--list-boots",
                brief: "list the boots of the journal",
                help:
                    "List the boots that the journal has entries of, or the newest with -n, and end. -r begins with the newest, -o json is JSON."
            ) { $0.listBoots = true },
            .flag(
                "--list-invocations",
                help:
                    "List the invocations of the unit that -u or --user-unit names in the same way, of one boot with -b."
            ) { $0.listInvocations = true },
            .flag("--list-namespaces", help: "List the namespaces of this machine that have a journal, and end.") {
                $0.listNamespaces = true
            },
            .flag("-N", "--fields", help: "List the names of the fields that the journal's entries have, and end.") {
                $0.fields = true
            },
            .value(
                "-F",
                "--field",
                of: "name",
                help: "List the values that a field has in the journal, and end."
            ) {
                $0.field = $1
            },
        ]
    }

    var listBoots = false
    var listInvocations = false
    var listNamespaces = false
    var fields = false
    var field: String?
    /// Whether anything is asked.
    var areGiven: Bool { isOfPeriods || listNamespaces || fields || field != nil }

    /// Whether the answer is a list of boots or invocations.
    var isOfPeriods: Bool { listBoots || listInvocations }

    private var name: String {
        if isOfPeriods { return listBoots ? "--list-boots" : "--list-invocations" }
        return listNamespaces ? "--list-namespaces" : fields ? "--fields" : "--field"
    }

    /// Refuses options that do not apply to an answer.
    func require(in command: TailCommand) throws {
        guard areGiven else { return }
        let count = [listBoots, listInvocations, listNamespaces, fields, field != nil].count { $0 }
        guard count == 1 else {
            throw ValidationError(
                "--list-boots, --list-invocations, --list-namespaces, --field and --fields are a list each. Give one of them."
            )
        }
        guard !isFiltered(command) else {
            throw ValidationError(
                "\(name) answers for a whole journal. Give no filter, and no option that chooses or times entries."
            )
        }
        guard command.from.boots != nil else {
            throw ValidationError("\(name) is asked of one journal. A stream has no such list, and no other source.")
        }
        if listNamespaces, command.from.named != nil {
            throw ValidationError("--list-namespaces lists those of this machine. Name no other journal.")
        }
        if listBoots, command.from.merge {
            throw ValidationError(
                "--list-boots lists the boots of one machine, and --merge reads all. Give one of them."
            )
        }
        if command.following == true {
            throw ValidationError("A list of what a journal has ends, and is not followed. Leave out --follow.")
        }
        guard isOfPeriods || command.lines == nil && command.format.format == .short else {
            throw ValidationError(
                "\(name) writes one line for each value or name, and all of them. Leave out -n and -o."
            )
        }
        guard command.format.format == .short || command.format.isJSON else {
            throw ValidationError(
                "-o \(command.format.name) is a format for entries. Write -o json, or leave it out for a table."
            )
        }
        guard isOfPeriods || !command.reverse else {
            throw ValidationError("\(name) is a list without an order in time. Leave out --reverse.")
        }
        if let option = Self.optionForEntries(in: command) {
            throw ValidationError("\(option) is about entries, and a list has none. Leave it out.")
        }
        if listInvocations { _ = try command.choosing.meant(for: command.from).requireUnit(for: "--list-invocations") }
        if let field { try NamedFields.require(field, of: "--field") }
    }

    private func isFiltered(_ command: TailCommand) -> Bool {
        var choosing = command.choosing
        if listInvocations { (choosing.choice.units, choosing.choice.userUnits, choosing.choice.boot) = ([], [], nil) }
        return !command.operands.all.isEmpty || choosing.areGiven || command.from.boots != nil && command.readsRecords
    }

    private static func optionForEntries(in command: TailCommand) -> String? {
        let options = [
            ("--output-fields", command.outputFields != nil), ("--count", command.count != nil),
            ("--timeout", command.operators.timeout != nil), ("--filter-stats", command.filterStatistics),
            ("--cursor-file", command.cursorFile != nil), ("--after-cursor", command.afterCursor != nil),
            ("--show-cursor", command.showCursor), ("--stats", command.statistics),
        ]
        return options.first { $0.1 }?.0
    }
}
