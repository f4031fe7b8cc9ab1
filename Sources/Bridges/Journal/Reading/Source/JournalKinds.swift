import Glibc

/// Kinds of journal files, which journald distinguishes by their names.
public struct JournalKinds: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Messages of the kernel, of services of the system and of users without a journal of their own:
    /// `system.journal`.
    public static let system = JournalKinds(rawValue: 1)
    /// Messages of the user who runs this process: `user-1000.journal`. For root and other users of the system also
    /// `system.journal`, where journald keeps theirs.
    public static let user = JournalKinds(rawValue: 2)

    /// Whether a journal file of that name is of one of them.
    func have(_ name: String) -> Bool { starts.contains { Self.isFile(name, $0) } }

    /// The files' names, for a person.
    var fileNames: String { starts.map { "\($0).journal" }.joined(separator: " and ") }

    private var starts: [String] {
        let isSystem = contains(.system) || contains(.user) && Self.isOfSystem(getuid())
        return (isSystem ? ["system"] : []) + (contains(.user) ? ["user-\(getuid())"] : [])
    }

    /// Whether journald keeps a user's messages among those of the system: users of the system, users that are made for a
    /// service, and nobody. The ranges are systemd's: https://systemd.io/UIDS-GIDS/.
    private static func isOfSystem(_ user: uid_t) -> Bool {
        user <= 999 || 61_184...65_519 ~= user || user == 65_534
    }

    /// Whether it is the file that is written to, one that a crash left, or one that was rotated away.
    private static func isFile(_ name: String, _ start: String) -> Bool {
        name == "\(start).journal" || name == "\(start).journal~" || name.hasPrefix("\(start)@")
    }
}
