import Filter
import JournalBridge
import Records

/// Options that help people to read the output.
struct ReadingAidOptions {
    static var options: [CommandOption<Self>] {
        [
            .value(
                "--highlight",
                of: "regex",
                help: """
                    Where there are colours, mark what the regular expression finds in messages and other values that are shown, in any \
                    case if it has no capital letter. Of several, each. What -g finds is marked, too.
                    """
            ) { $0.highlight.append($1) },
            .value(
                "--time-gap",
                of: "duration",
                help: "Between two records that are further apart in time, write a line such as '-- 3min 12s --'."
            ) { $0.timeGap = try Duration(argument: $1) },
            .flag(
                "--truncate-newline",
                help: "Of a message of several lines, show only the first, in the formats short to with-unit."
            ) { $0.truncatesMessages = true },
            .value(
                "--before-context",
                of: "count",
                help: """
                    Show so many records before each match, too. The filter and -g say what matches; -u, -b, FIELD=value and the like say \
                    what is read at all, and -n how much of what was there before.
                    """
            ) { $0.beforeContext = try ContextChoice.count($1) },
            .value("--after-context", of: "count", help: "Show so many records after each match, too.") {
                $0.afterContext = try ContextChoice.count($1)
            },
            .value(
                "-C",
                "--context",
                of: "count",
                brief: "show records around each match",
                help: "Show so many records before and after each match, where neither of the other two says otherwise."
            ) { $0.bothContexts = try ContextChoice.count($1) },
            .flag(
                "-x",
                "--catalog",
                brief: "show the catalogue's explanations",
                help: """
                    Below an entry of a journal, show what systemd's message catalogue says of it, in the formats short to with-unit and \
                    verbose.
                    """
            ) { $0.explains = true },
            .flag(
                "-e",
                "--pager-end",
                help:
                    "Begin with the last 1000 entries unless -n is given, do not follow unless -f is given, and show the end in the pager."
            ) { $0.pagerEnd = true },
            .flag("--no-pager", help: "Show what there is without a pager, also on a terminal.") { $0.noPager = true },
        ]
    }

    /// Each takes its time for each text.
    private static let maxHighlights = 128

    var highlight: [String] = []
    var timeGap: Duration?
    var truncatesMessages = false
    var beforeContext: Int?
    var afterContext: Int?
    var bothContexts: Int?
    var explains = false
    var pagerEnd = false
    var noPager = false

    func validate() throws {
        if highlight.contains("") {
            throw ValidationError("--highlight was given an empty expression. Write what is to be marked.")
        }
        guard highlight.count <= Self.maxHighlights else {
            throw ValidationError(
                "--highlight was given \(highlight.count) times, and at most \(Self.maxHighlights) are accepted. Join some as in 'one|other'."
            )
        }
    }

    /// The pager for output that ends; `nil` where none is wanted, or no terminal is there for it.
    var pager: PagerChoice? {
        let terminal = ColorChoice.environment("TERM") ?? "dumb"
        guard !noPager, StandardDescriptors.areTerminals, terminal != "dumb" else { return nil }
        return PagerChoice(jumpsToEnd: pagerEnd, ColorChoice.environment) { SessionOwner.isEffectiveUser }
    }

    /// Sets the locale in which explanations are looked up. Call it before there are other threads.
    ///
    /// - Returns: the mark for the explanations; `nil` where none are wanted.
    func beginExplaining() -> CatalogMark? {
        guard explains else { return nil }
        CatalogLocale.adopt()
        if let complaint = CatalogFormat.complaint { StandardError.report(complaint) }
        return CatalogLocale.isUTF8 ? .shade : .dashes
    }

    /// - Parameter choosing: the matches of its `-g` are marked, too.
    func requirePatterns(beside choosing: ChoosingOptions) throws {
        let patterns = Highlighter.patterns(choosing, highlights: highlight)
        do throws(SearchPattern.Refusal) {
            _ = try SearchPattern.compile(patterns)
        } catch {
            let index = error.index - (patterns.count - highlight.count)
            let (option, value) =
                index < 0 ? ("--grep", choosing.choice.pattern ?? "") : ("--highlight", highlight[index])
            throw ValidationError(
                "The value '\(value)' is invalid for '\(option)': this regular expression is refused: "
                    + SmartCase.asTyped(error.reason, value)
            )
        }
    }

    /// - Parameter format: how records are written, where people do not read it.
    func requireText(in format: String) throws {
        let used = [("--highlight", !highlight.isEmpty), ("--time-gap", timeGap != nil)].filter(\.1).map(\.0)
        guard let first = used.first else { return }
        throw ValidationError(
            "\(first) is for formats that people read, and -o \(format) is for programs. Write -o short, with-unit, cat or verbose, or --template."
        )
    }
}
