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
    /// Messages of the user who runs this process: `user-1000.journal`.
    public static let user = JournalKinds(rawValue: 2)

    /// Whether a journal file of that name is of one of them.
    func have(_ name: String) -> Bool { starts.contains { Self.isFile(name, $0) } }

    /// The files' names, for a person.
    var fileNames: String { starts.map { "\($0).journal" }.joined(separator: " and ") }

    private var starts: [String] {
        (contains(.system) ? ["system"] : []) + (contains(.user) ? ["user-\(getuid())"] : [])
    }

    /// Whether it is the file that is written to, one that a crash left, or one that was rotated away.
    private static func isFile(_ name: String, _ start: String) -> Bool {
        name == "\(start).journal" || name == "\(start).journal~" || name.hasPrefix("\(start)@")
    }
}
