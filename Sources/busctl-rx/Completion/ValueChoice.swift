import JournalBridge
import RecordSources
import Records
import TapBridge

/// The set of values from which the rest of a word is chosen.
struct ValueChoice {
    enum Kind {
        case candidates([Candidate])
        case journal(JournalCandidates.Question)
        case files
        case directories
    }

    let kind: Kind
    /// How many characters of the value are fixed already: those of `auth,` in `auth,dae`.
    let head: Int

    init(_ request: CompletionRequest) {
        let typed = request.word.dropFirst(request.head)
        switch request.subject {
        case .command: (kind, head) = (.candidates(CommandHelp.commands), 0)
        case .option(let command): (kind, head) = (.candidates(CommandHelp.options(of: command)), 0)
        case .value where !request.choices.isEmpty: (kind, head) = (Self.words(request.choices), 0)
        case .value("-u"), .value("--unit"):
            (kind, head) = Self.value(of: request.isOfUserAlone ? "--user-unit" : "--unit", typed, request.fields)
        case .value(let option): (kind, head) = Self.value(of: option, typed, request.fields)
        case .operand: (kind, head) = Self.operand(typed)
        case .tap:
            (kind, head) =
                typed.isEmpty || TapPath.all().contains { $0.hasPrefix(typed) }
                ? (Self.words(TapPath.all()), 0) : (.files, 0)
        }
    }

    /// The names that journald itself gives to fields.
    private static var usualFields: [String] {
        JournalSchema().knownNames.filter { $0.first?.isLowercase == false && !$0.hasPrefix("__") }
    }

    /// - Parameter fields: those of what is read.
    private static func value(of option: String, _ typed: Substring, _ fields: FieldCandidates) -> (Kind, head: Int) {
        switch option {
        case "-i", "--file", "--cursor-file": (.files, 0)
        case "-D", "--directory", "--root": (.directories, 0)
        case "--namespace": (.journal(.namespaces), 0)
        case "--from": source(typed)
        case "--label":
            typed.firstIndex(of: "=").map { labelled(typed[...$0], typed[typed.index(after: $0)...]) } ?? (words([]), 0)
        case "-n", "--lines": (words(["all"]), 0)
        case "--output-fields": (.journal(.fields(suffix: "", usual: usualFields)), settled(typed, by: ","))
        case "--by":
            (
                fields.hasJournal
                    ? .journal(.fields(suffix: "", usual: fields.names)) : words(Set(fields.names).sorted()),
                settled(typed, by: ",")
            )
        // Only what there is has values.
        case "-F", "--field": (.journal(.fields(suffix: "", usual: [])), 0)
        case "--case-sensitive": (words(["yes", "no"]), 0)
        case "--unit": (.journal(.values(of: ["_SYSTEMD_UNIT", "UNIT"])), 0)
        case "--user-unit": (.journal(.values(of: ["_SYSTEMD_USER_UNIT", "USER_UNIT"])), 0)
        case "-t", "--identifier", "-T", "--exclude-identifier": (.journal(.values(of: ["SYSLOG_IDENTIFIER"])), 0)
        case "-p", "--priority": (words(Severity.allCases.map(\.name)), settled(typed, by: "."))
        case "--facility": (words(EntryChoice.facilityNames), settled(typed, by: ","))
        case "-S", "--since", "-U", "--until": (words(["now", "today", "yesterday"]), 0)
        case "-b", "--boot": (.journal(.boots), 0)
        case "--invocation": (.journal(.values(of: ["_SYSTEMD_INVOCATION_ID", "INVOCATION_ID"])), 0)
        default:
            (SourceKinds.standard.options.first { $0.name == option }.map { kind($0.operands) } ?? words([]), 0)
        }
    }

    /// A kind of source, and behind it which.
    private static func source(_ typed: Substring) -> (Kind, head: Int) {
        let spellings = SourceKinds.standard.spellings
        guard let colon = typed.firstIndex(of: ":"),
            let spelling = spellings.first(where: { $0.word == typed[..<colon] })
        else {
            return (words(spellings.map { $0.operand == nil ? $0.word : $0.word + ":" }), 0)
        }
        return (Self.kind(spelling.operands), spelling.word.count + 1)
    }

    private static func kind(_ operands: SourceSpelling.Operands) -> Kind {
        switch operands {
        case .files: .files
        case .directories: .directories
        case .namespaces: .journal(.namespaces)
        case .words(let all): words(all)
        }
    }

    /// The same behind `NAME=`.
    private static func labelled(_ label: Substring, _ typed: Substring) -> (Kind, head: Int) {
        let (kind, head) = source(typed)
        return (kind, label.count + head)
    }

    /// `FIELD=value`, or the path of a program or device. A filter is not completed.
    private static func operand(_ typed: Substring) -> (Kind, head: Int) {
        if PathMatch.isOne(String(typed)) { return (.files, 0) }
        let name = typed.prefix { $0 != "=" }
        guard name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }) else {
            return (words([]), 0)
        }
        if name.count == typed.count { return (.journal(.fields(suffix: "=", usual: usualFields)), 0) }
        return (.journal(.values(of: [String(name)])), name.count + 1)
    }

    private static func words(_ words: [String]) -> Kind { .candidates(words.map { Candidate(text: $0) }) }

    /// How many characters there are up to the last separator.
    private static func settled(_ typed: Substring, by separator: Character) -> Int {
        typed.lastIndex(of: separator).map { typed[...$0].count } ?? 0
    }
}
