/// A boot, or an invocation of a unit: its id, a number of such periods before or behind it, or both, as in `-1`, `2` and `68b4…-1`; or all.
public struct PeriodChoice: Sendable, Hashable {
    /// 32 hexadecimal digits, in lower case.
    let id: String?
    /// `nil` for all.
    let offset: Int?

    private init(id: String?, offset: Int?) {
        self.id = id
        self.offset = offset
    }

    /// The present boot, or the last invocation.
    public static let current = PeriodChoice.at(0)

    /// 0 is the last one, -1 the one before it, and 1 the first one in the journal.
    public static func at(_ offset: Int) -> PeriodChoice { PeriodChoice(id: nil, offset: offset) }

    /// As journalctl's `-b` and `--invocation` take it; `nil` for any other text.
    public init?(_ text: String) {
        if text == "all" {
            (id, offset) = (nil, nil)
            return
        }
        let digits = text.prefix { $0.isHexDigit && $0.isASCII }
        id = digits.count == 32 ? digits.lowercased() : nil
        let rest = id == nil ? text[...] : text.dropFirst(32)
        if rest.isEmpty {
            guard id != nil else { return nil }
            offset = 0
            return
        }
        // With an id the number has a sign.
        guard id == nil || rest.first == "+" || rest.first == "-", let number = Int32(rest) else { return nil }
        offset = Int(number)
    }

    /// Whether it is found by counting, and not by its id alone.
    package var isCounted: Bool { offset.map { id == nil || $0 != 0 } ?? false }

    /// The id of a boot; `nil` for all of them.
    package func bootID(in journal: JournalSource) throws(EntryChoiceError) -> String? {
        guard let offset else { return nil }
        if id == nil, offset == 0, journal.isOfThisMachine, let current = MachineBoot.current { return current }
        let boots: [JournalBoot]
        do throws(JournalError) {
            boots = try JournalBoot.all(in: journal)
        } catch {
            throw .journal(error)
        }
        return try resolve(among: boots.map(\.id), "boot")
    }

    /// The id of an invocation.
    ///
    /// - Parameters:
    ///   - unit: the unit whose invocations are counted.
    ///   - boot: the only boot whose invocations are counted; `nil` for all boots.
    func invocationID(
        of unit: InvokedUnit,
        in journal: JournalSource?,
        boot: String?
    ) throws(EntryChoiceError) -> String? {
        guard let journal else { return id }
        return try resolve(among: try UnitInvocation.all(of: unit, in: journal, boot: boot).map(\.id), "invocation")
    }

    /// The chosen one among the existing ones, which are given in order. Without an id, 1 is the first one, 0 the
    /// last one, and -1 the one before it.
    ///
    /// - Parameter kind: the kind of period, as in "boot". It is part of the message where there is none.
    func resolve(among ids: [String], _ kind: String) throws(EntryChoiceError) -> String {
        let offset = offset ?? 0
        var base = offset > 0 ? -1 : ids.count - 1
        if let id {
            guard let index = ids.firstIndex(of: id) else { throw .notFound("the journal has no \(kind) \(id)") }
            base = index
        }
        let (index, isOverflow) = base.addingReportingOverflow(offset)
        guard !isOverflow, ids.indices.contains(index) else {
            let place = id.map { "\(offset) from \($0)" } ?? "\(offset)"
            let which = ids.isEmpty ? "at all" : "\(place), but \(ids.count) in all"
            throw .notFound("the journal has no \(kind) \(which)")
        }
        return ids[index]
    }
}

extension JournalSource {
    fileprivate var isOfThisMachine: Bool {
        switch self {
        case .system, .namespace: true
        case .files, .directory, .root, .machines: false
        case .kinds(_, let source): source.isOfThisMachine
        }
    }
}

extension UnitInvocation {
    /// - Parameters:
    ///   - boot: the only boot whose invocations are wanted; `nil` for all boots.
    ///   - report: called with what is missing.
    package static func all(
        of unit: InvokedUnit,
        in journal: JournalSource,
        boot: String?,
        reporting report: (JournalGap) -> Void = { _ in }
    ) throws(EntryChoiceError) -> [UnitInvocation] {
        do throws(JournalError) {
            return try all(of: unit, in: journal, reporting: report).filter { boot == nil || $0.boot == boot }
        } catch {
            throw .journal(error)
        }
    }
}
