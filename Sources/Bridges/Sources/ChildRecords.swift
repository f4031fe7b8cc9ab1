package import Bus
package import FilterBridge
import ProcessBridge
package import Records
import SystemPackage

/// A command's two outputs and its end: `run:'ping -c 3 localhost'`. Each subscription starts it anew, without a shell.
package struct ChildRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "run",
            operand: "COMMAND",
            example: example,
            summary: "a command's two outputs and its end",
            name: "child"
        )
    ]

    private static let example = "run:'ping -c 3 localhost'"

    package let word = "run"
    /// The program, by its path or as it is found in `PATH`, and its arguments.
    package let command: [String]
    /// Whether the records are only the lines that it writes, without its start and its end.
    package var isOutputAlone = false

    /// Splits a command into words as a shell does. Nothing in them is replaced.
    package init(word: String, operand: String) throws(SourceArgumentError) {
        guard let words = CommandWords.split(operand), !words.isEmpty else {
            throw SourceArgumentError("write a command as for a shell, as in \(Self.example); a quote is left open")
        }
        command = words
    }

    package var fields: RecordKind { .child }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let child = ChildProcess(FilePath(command[0]), Array(command.dropFirst()))
        return Signals.run(child).records(named: request.name).mapError { request.failure("\($0)") }
            .filter { [isOutputAlone] in !isOutputAlone || $0.isOutputOfChild }
            .items(request)
    }
}

extension Record {
    fileprivate var isOutputOfChild: Bool { ["output", "errors"].contains(self["stream"]) }
}
