import Bus
import Glibc
import JournalBridge
import Records

/// The lists that a journal can answer: see ``QuestionOptions``.
enum JournalQuestions {
    static func answer(_ command: TailCommand) throws -> ExitStatus {
        let (questions, source) = (command.questions, command.from.journal)
        if questions.listBoots {
            return try print(command) { () throws(JournalError) in
                try PeriodList(
                    kind: .boots,
                    periods: JournalBoot.all(in: source, reporting: report)
                        .map { .init(id: $0.id, first: $0.first, last: $0.last) },
                    limit: limit(command.lines),
                    isReversed: command.reverse
                )
            }
        }
        if questions.listInvocations {
            let unit = try command.choosing.meant(for: command.from).requireUnit(for: "--list-invocations")
            let choice = command.choosing.choice
            let invocations = try ChoosingOptions.showingErrors { () throws(EntryChoiceError) in
                try UnitInvocation.all(
                    of: unit,
                    in: source,
                    boot: choice.boot?.bootID(in: source),
                    reporting: report
                )
            }
            return try print(command) {
                PeriodList(
                    kind: .invocations,
                    periods: invocations.map { .init(id: $0.id, first: $0.first, last: $0.last) },
                    limit: limit(command.lines),
                    isReversed: command.reverse
                )
            }
        }
        if questions.listNamespaces { return try print(names: { () throws(JournalError) in JournalNamespaces.all }) }
        if let field = questions.field { return try answer(field: field, in: source) }
        return try print(names: { () throws(JournalError) in
            try FieldNames.all(in: source, readingEntries: true, reporting: report)
        })
    }

    private static func report(_ gap: JournalGap) { StandardError.report(gap.description) }

    private static func limit(_ lines: EntryCount?) -> Int? {
        if case .last(let count) = lines { count } else { nil }
    }

    private static func print(
        _ command: TailCommand,
        _ list: () throws(JournalError) -> PeriodList
    ) throws(ExitStatus) -> ExitStatus {
        try print(command.pager) { output throws(JournalError) in
            let list = try list()
            guard !list.isEmpty else { return false }
            let json = command.format.format.flatMap(list.json)
            output.append(Array((json ?? list.table(isUTC: command.utc)).utf8))
            return true
        }
    }

    private static func print(names: () throws(JournalError) -> Set<String>) throws(ExitStatus) -> ExitStatus {
        try print { output throws(JournalError) in
            let names = try names()
            for name in names.sorted() { output.append(Array("\(OneLine.of(name))\n".utf8)) }
            return !names.isEmpty
        }
    }

    private static func answer(field: String, in source: JournalSource) throws(ExitStatus) -> ExitStatus {
        try print { output throws(JournalError) in
            var isEmpty = true
            try FieldValues.forEach(of: field, in: source, reporting: report) { value in
                isEmpty = false
                output.append((StandardDescriptors.isOutputTerminal ? TerminalText.visible(value) : value) + [0x0A])
            }
            return !isEmpty
        }
    }

    /// - Parameters:
    ///   - choice: the pager for the list; `nil` for none.
    ///   - body: returns whether there was anything.
    private static func print(
        _ choice: PagerChoice? = nil,
        _ body: (StandardOutput) throws(JournalError) -> Bool
    ) throws(ExitStatus) -> ExitStatus {
        // A reader that goes away is no failure.
        signal(SIGPIPE, SIG_IGN)
        let output = StandardOutput()
        let outcome = TailOutcome()
        let pager = choice.map { Pager($0) { outcome.decide(.matched) } }
        if pager != nil { try Interruptions().watchSignals(outcome, pager: pager) { output.unwritten } }
        do throws(JournalError) {
            let hasAny = try body(output)
            if hasAny { pager?.open() }
            output.close()
            if let failure = [output.reportableFailure, pager?.close()].compactMap({ $0 }).first {
                outcome.decide(.sourceLost, because: failure)
            }
            outcome.decide(hasAny ? .matched : .nothingMatched)
        } catch {
            outcome.decide(.sourceLost, because: error.description)
        }
        let end = outcome.wait()
        if let reason = end.reason { StandardError.report(reason) }
        return pager?.interrupted ?? end.status
    }
}
