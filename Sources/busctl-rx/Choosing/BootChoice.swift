import JournalBridge

/// The value of `--boot`: an id, a number of boots before or behind it, or both.
struct BootChoice: Equatable {
    /// `nil` for all boots.
    private let offset: Int?
    private let id: String?

    /// Whether an argument that follows `-b` belongs to it.
    static func isMeant(_ argument: String) -> Bool { parts(argument) != nil }

    init(argument: String) throws {
        guard let (id, offset) = Self.parts(argument) else {
            throw BadValue(
                description:
                    "write -1 for the boot before this one, 1 for the first one in the journal, a boot's id, an id with"
                    + " such a number, or all"
            )
        }
        self.id = id
        self.offset = offset
    }

    private static func parts(_ text: String) -> (id: String?, offset: Int?)? {
        if text == "all" { return (nil, nil) }
        let digits = text.prefix { $0.isHexDigit && $0.isASCII }
        let id = digits.count == 32 ? digits.lowercased() : nil
        let rest = id == nil ? text[...] : text.dropFirst(32)
        if rest.isEmpty { return id == nil || text.isEmpty ? nil : (id, 0) }
        // With an id the number has a sign.
        guard id == nil || rest.first == "+" || rest.first == "-", let offset = Int(rest), abs(offset) < 1 << 31 else {
            return nil
        }
        return (id, offset)
    }

    /// The id of the boot; `nil` for all of them.
    func resolve(in source: JournalSource) throws(ExitStatus) -> String? {
        guard let offset else { return nil }
        if let id, offset == 0 { return id }
        if offset == 0, isOfThisMachine(source), let current = MachineBoot.current { return current }
        let boots: [JournalBoot]
        do throws(JournalError) {
            boots = try JournalBoot.all(in: source)
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
        let base: Int
        if let id {
            guard let index = boots.firstIndex(where: { $0.id == id }) else {
                StandardError.report("the journal has no boot \(id)")
                throw .nothingMatched
            }
            base = index
        } else {
            base = offset > 0 ? -1 : boots.count - 1
        }
        guard boots.indices.contains(base + offset) else {
            StandardError.report("the journal has no boot \(offset) from there, but \(boots.count) in all")
            throw .nothingMatched
        }
        return boots[base + offset].id
    }

    private func isOfThisMachine(_ source: JournalSource) -> Bool {
        switch source {
        case .system, .namespace: true
        case .files, .directory: false
        }
    }
}
