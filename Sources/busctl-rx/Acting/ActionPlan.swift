import Bus
import ProcessBridge
import RecordSources
import Records
import SystemPackage

/// The command to run for each record.
struct ActionPlan: Sendable {
    let command: CommandArgument
    /// How many may run at once.
    let jobs: Int
    /// The format of a record for it.
    private(set) var style: RecordStyle
    /// The only fields that its environment names; `nil` for all.
    private let fields: [FieldPath]?
    private let inherited = RecordEnvironment.inherited()

    /// `nil` where nothing is to be run.
    init?(_ options: OperatorOptions, style: RecordStyle, fields: [FieldPath]?) {
        guard let command = options.exec else { return nil }
        self.command = command
        jobs = options.jobs ?? 1
        self.style = style
        self.fields = fields
        self.style.hasColors = false
        self.style.isForTerminal = false
    }

    /// The command for a record.
    ///
    /// - Parameter text: the record, written out.
    func child(for record: Record, reading text: [UInt8]) -> ChildProcess {
        var child = ChildProcess(FilePath(command.program), command.arguments)
        child.input = .signal(Signals.just(text).eraseToAnySignal())
        child.output = .inherited
        child.errors = .inherited
        child.environment = .updating(
            RecordEnvironment(record, fields: fields, replacing: inherited).changes
        )
        return child
    }
}
