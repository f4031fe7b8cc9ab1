import JournalBridge
import Records

/// What can be asked of a journal beside its entries: `--list-boots`, `--field`, `--fields`.
enum JournalQuestions {
    static func answer(boots source: JournalSource, isUTC: Bool) throws(ExitStatus) -> ExitStatus {
        try print { output throws(JournalError) in
            let boots = try JournalBoot.all(in: source)
            if !boots.isEmpty { output.append(Array(BootList.text(boots, isUTC: isUTC).utf8)) }
            return !boots.isEmpty
        }
    }

    static func answerFields(in source: JournalSource) throws(ExitStatus) -> ExitStatus {
        try print { output throws(JournalError) in
            let names = try FieldNames.all(in: source, readingEntries: true)
            for name in names.sorted() { output.append(Array("\(name)\n".utf8)) }
            return !names.isEmpty
        }
    }

    static func answer(field: String, in source: JournalSource) throws(ExitStatus) -> ExitStatus {
        try print { output throws(JournalError) in
            var isEmpty = true
            try FieldValues.forEach(of: field, in: source) { value in
                isEmpty = false
                output.append((StandardDescriptors.isOutputTerminal ? TerminalText.visible(value) : value) + [0x0A])
            }
            return !isEmpty
        }
    }

    /// - Parameter body: answers whether there was anything.
    private static func print(_ body: (StandardOutput) throws(JournalError) -> Bool) throws(ExitStatus) -> ExitStatus {
        let output = StandardOutput()
        let hasAny: Bool
        do throws(JournalError) {
            hasAny = try body(output)
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
        output.close()
        guard let failure = output.reportableFailure else { return hasAny ? .matched : .nothingMatched }
        StandardError.report(failure)
        return .sourceLost
    }
}
