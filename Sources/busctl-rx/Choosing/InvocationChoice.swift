import JournalBridge

/// The value of `--invocation`: an id, a number of invocations before or behind it, or both.
struct InvocationChoice: Equatable {
    private let choice: OffsetID

    /// The meaning of `-I`.
    static let last = InvocationChoice(choice: OffsetID(id: nil, offset: 0))

    private init(choice: OffsetID) {
        self.choice = choice
    }

    init(argument: String) throws {
        guard let choice = OffsetID(argument) else {
            throw BadValue(
                description:
                    "write 0 for the last invocation of the unit, -1 for the one before it, 1 for the first one in the journal,"
                    + " an invocation's id, an id with such a number, or all"
            )
        }
        self.choice = choice
    }

    /// Whether the invocations of a unit are counted.
    var needsUnit: Bool { choice.offset.map { choice.id == nil || $0 != 0 } ?? false }

    /// The id of the invocation; `nil` for all of them.
    ///
    /// - Parameters:
    ///   - unit: the unit whose invocations are counted, where that is needed.
    ///   - boot: the only boot whose invocations are counted; `nil` for all boots.
    func resolve(of unit: InvokedUnit?, in source: JournalSource?, boot: String?) throws(ExitStatus) -> String? {
        guard needsUnit, let unit, let source else { return choice.id }
        return try choice.resolve(among: Self.all(of: unit, in: source, boot: boot).map(\.id), "invocation")
    }

    /// The invocations of a unit; an error is shown.
    static func all(
        of unit: InvokedUnit,
        in source: JournalSource,
        boot: String?
    ) throws(ExitStatus) -> [UnitInvocation] {
        do throws(JournalError) {
            return try UnitInvocation.all(of: unit, in: source).filter { boot == nil || $0.boot == boot }
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }
}
