import Bus
import FilterBridge
import Glibc
import JournalBridge
import RecordSources
import Records
import Timers

/// The candidates from a journal. A journal that is large, or on a slow disk, keeps no shell waiting: candidates that
/// are not found in time are left out.
enum JournalCandidates {
    enum Question: Sendable {
        /// The names of fields, with a text after each: those of the journal, and others.
        case fields(suffix: String, usual: [String])
        case values(of: [String])
        case boots
        case namespaces
    }

    /// How long a shell waits.
    private static var patience: Duration {
        let typed = getenv("BUSCTL_RX_COMPLETION_SECONDS").flatMap { Double(String(cString: $0)) }
        return .seconds(typed.map { $0.isNaN ? 0.8 : min(max($0, 0), 3600) } ?? 0.8)
    }
    /// Nobody reads more candidates than this.
    private static let maxCount = 2000
    private static let maxLength = 256

    static func answers(to question: Question, startingWith typed: String, in source: JournalSource) -> [Candidate] {
        let found = Lock<Set<Candidate>>([])
        let isDone = Latch()
        // The process ends before these threads do.
        TimerScheduler.shared.schedule(after: patience) { isDone.open() }
        ThreadScheduler(name: "bus-completion").schedule {
            look(for: question, in: source) { candidate in
                let isFull = found.withLock { found in
                    if candidate.text.utf8.starts(with: typed.utf8), isPlain(candidate.text) { found.insert(candidate) }
                    return found.count >= maxCount
                }
                if isFull { isDone.open() }
            }
            isDone.open()
        }
        isDone.wait()
        return found.withLock { $0 }.sorted { $0.text < $1.text }
    }

    /// A journal that cannot be read has no candidates.
    private static func look(for question: Question, in source: JournalSource, _ body: (Candidate) -> Void) {
        switch question {
        case .fields(let suffix, let usual):
            for name in usual { body(Candidate(text: name + suffix)) }
            for name in (try? FieldNames.all(in: source, readingEntries: false)) ?? [] {
                body(Candidate(text: name + suffix))
            }
        case .values(let fields):
            for field in fields {
                try? FieldValues.forEach(of: field, in: source) { value in
                    guard value.count <= maxLength, let text = String(validating: value, as: UTF8.self) else { return }
                    body(Candidate(text: text))
                }
            }
        case .namespaces:
            for name in JournalNamespaces.all { body(Candidate(text: name)) }
        case .boots:
            body(Candidate(text: "all"))
            let boots = (try? JournalBoot.all(in: source)) ?? []
            for (index, boot) in boots.enumerated() {
                let time = JournalTime.text(boot.first, isUTC: false)
                body(Candidate(text: "\(index - boots.count + 1)", help: time))
                body(Candidate(text: boot.id, help: time))
            }
        }
    }

    /// Anyone may have written a journal's content. A terminal must not obey it.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && !text.unicodeScalars.contains { TerminalText.isActive($0.value) }
    }
}

/// The fields that the records of the sources on a command line can have, as far as they are known without reading the
/// sources.
struct FieldCandidates {
    let names: [String]
    /// Whether a journal has further ones.
    let hasJournal: Bool

    /// - Parameter arguments: the values of `--from` and `--label`. Those that are wrong have no fields.
    init(_ sources: [SourceArgument], hasJournal: Bool) {
        var kinds = (try? NamedSource.all(sources.map { ($0.label, $0.source) }))?.fields ?? []
        self.hasJournal = hasJournal || kinds.isEmpty || kinds.contains { $0.kind == .journal }
        if self.hasJournal { kinds.append(("journal", .journal)) }
        let known = RecordSchema(kinds).knownNames.filter { !$0.hasPrefix("__") }
        names = known + sources.flatMap { ($0.source as? LineRecords)?.firstNames ?? [] }
    }
}

/// The filters of the configuration file. A file that is wrong has nothing to offer.
enum KeptCandidates {
    static func all(startingWith typed: String) -> [Candidate] {
        guard let configuration = try? Configuration.current.get() else { return [] }
        return configuration.filters.map { Candidate(text: "@\($0.name)", help: OneLine.of($0.text)) }
            .filter { $0.text.utf8.starts(with: typed.utf8) }
            .sorted { $0.text < $1.text }
    }
}
