import JournalBridge

/// The value of `--boot`: an id, a number of boots before or behind it, or both.
struct BootChoice: Equatable {
    private let choice: OffsetID

    /// Whether an argument after `-b` belongs to it: a boot, or a single word, which is no filter of a journal. As a
    /// wrong boot it gets the helpful message.
    static func isMeant(_ argument: String) -> Bool { OffsetID(argument) != nil || isWord(argument) }

    /// Letters and digits alone.
    static func isWord(_ argument: String) -> Bool {
        argument.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: false
            }
        } && !argument.isEmpty && argument != "true" && argument != "false"
    }

    init(argument: String) throws {
        guard let choice = OffsetID(argument) else {
            throw BadValue(
                description:
                    "write -1 for the boot before this one, 1 for the first one in the journal, a boot's id, an id with"
                    + " such a number, or all"
            )
        }
        self.choice = choice
    }

    /// The id of the boot; `nil` for all of them.
    func resolve(in source: JournalSource) throws(ExitStatus) -> String? {
        guard let offset = choice.offset else { return nil }
        if choice.id == nil, offset == 0, isOfThisMachine(source), let current = MachineBoot.current { return current }
        let boots: [JournalBoot]
        do throws(JournalError) {
            boots = try JournalBoot.all(in: source)
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
        return try choice.resolve(among: boots.map(\.id), "boot")
    }

    private func isOfThisMachine(_ source: JournalSource) -> Bool {
        switch source {
        case .system, .namespace: true
        case .files, .directory, .root, .machines: false
        case .kinds(_, let source): isOfThisMachine(source)
        }
    }
}
