import Filter
import FilterBridge
import Glibc
import JournalBridge
import RecordSources
import Records

/// The filter on the command line.
enum FilterArgument {
    /// The filter with the fields of a journal, or its error shown.
    static func compile(_ text: String) throws(ExitStatus) -> (CompiledFilter, JournalSchema) {
        let schema = JournalSchema()
        do throws(FilterError) {
            return (try CompiledFilter(text, schema: schema), schema)
        } catch {
            report(error, of: text)
            throw .usage
        }
    }

    /// The filter with the fields of several sources, or its error shown.
    static func compile(_ text: String, over sources: [NamedSource]) throws(ExitStatus) -> RecordFilter {
        do throws(FilterError) {
            return try RecordFilter(text, sources: sources.fields)
        } catch {
            report(error, of: text)
            throw .usage
        }
    }

    /// The typed filter, filters of the configuration file, and journalctl's options as one filter; `nil` where there
    /// are none.
    static func all(
        _ operands: FilterOperands,
        _ choosing: ChoosingOptions,
        in sources: SourceOptions,
        check: (String) throws -> Void = { _ = try compile($0) }
    ) throws -> String? {
        try all(operands, beside: choosing.pieces(for: sources), check: check)
    }

    /// The typed filter and filters of the configuration file beside others, as one; `nil` where there are none.
    static func all(
        _ operands: FilterOperands,
        beside others: [String],
        check: (String) throws -> Void = { _ = try compile($0) }
    ) throws -> String? {
        var pieces = others
        for filter in try operands.kept() {
            try self.check(filter, check)
            pieces.append(filter.text)
        }
        if let matches = try operands.matches() {
            pieces.append(matches.expression)
        } else if let filter = operands.typed.first {
            // Its errors are shown with its own text.
            if !pieces.isEmpty { try check(filter) }
            pieces.append(filter)
        }
        return pieces.isEmpty ? nil : FilterText.all(pieces)
    }

    /// Shows the errors of a filter of the configuration file with its own text and its line.
    private static func check(_ filter: KeptFilter, _ body: (String) throws -> Void) throws {
        do {
            try body(filter.text)
        } catch ExitStatus.usage {
            let path = Configuration.place?.path ?? ""
            StandardError.report("this is the filter @\(filter.name): \(path), line \(filter.line)")
            throw ExitStatus.usage
        }
    }

    private static func report(_ error: FilterError, of text: String) {
        StandardError.report(rendered: error.description)
        if access(text, F_OK) == 0 {
            StandardError.report("there is a file of that name. \(JournalMatchError.fileAdvice)")
        } else if (try? SourceKinds.standard.source(text)) != nil {
            StandardError.report("a source is named with an option: --from '\(text)'")
        }
    }

    /// A shell has cut the filter in two.
    static func interrupted(by argument: String) -> ValidationError {
        ValidationError(
            "The filter is one argument, but '\(argument)' came after it. Put the whole expression in single quotes, "
                + "as in 'unit == \"nginx.service\"'."
        )
    }

    /// The message about entries for which the filter was stopped, and which may have been wanted.
    static func stopped(_ count: Int) -> String {
        "\(count) \(count == 1 ? "entry was" : "entries were") left out, because the filter would have taken too long for"
            + " \(count == 1 ? "it" : "them"); a simpler regular expression or fewer macros take less"
    }

    /// The filter's results for the entries that it was evaluated on.
    static func summary(_ tally: FilterTally) -> String {
        let counts =
            "the filter was true for \(tally.matched) entries, false for \(tally.rejected), and had no answer for"
            + " \(tally.failed)"
        guard let error = tally.firstError else { return counts }
        return "\(counts), first because of \(error)"
    }
}
