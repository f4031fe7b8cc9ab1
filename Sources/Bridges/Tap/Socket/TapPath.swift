import Bus
import Glibc
import Loop

/// The places of a host's taps: sockets whose names end in `.tap`, in the runtime directories of the machine and the
/// session, or in a directory below them.
///
/// These are `/run` and `$XDG_RUNTIME_DIR`.
public enum TapPath {
    /// The path at which a program serves a tap with a name, by the convention.
    ///
    /// It is `NAME.tap` in the first of these directories: the one that systemd made for the service
    /// (`$RUNTIME_DIRECTORY`, of `RuntimeDirectory=`), the user's (`$XDG_RUNTIME_DIR`), and for root `/run`.
    ///
    /// - Parameter name: letters, digits, `-`, `_` and dots.
    /// - Throws: ``TapError/invalidPath(_:)`` for another name, and ``TapError/noDirectory`` where there is no such directory.
    public static func named(_ name: String) throws(TapError) -> String {
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty, !name.hasPrefix(".") else { throw .invalidPath(name) }
        // systemd separates several directories with colons.
        let service = variable("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init)
        guard let directory = service ?? session ?? (geteuid() == 0 ? system : nil) else { throw .noDirectory }
        return "\(directory)/\(name)\(suffix)"
    }

    /// The present sockets, in order. It is not checked whether anybody listens.
    ///
    /// May be called from any thread. It reads two directories and those in them.
    public static func all() -> [String] {
        let roots = Set([system, session].compactMap { $0 })
        var found: [String] = []
        for root in roots {
            for name in names(in: root) {
                let path = "\(root)/\(name)"
                if isTap(path) {
                    found.append(path)
                } else if isDirectory(path) {
                    found += names(in: path).map { "\(path)/\($0)" }.filter(isTap)
                }
            }
        }
        return found.sorted()
    }

    static let suffix = ".tap"
    private static let system = "/run"

    private static var session: String? { variable("XDG_RUNTIME_DIR") }

    /// An absolute path.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), let text = String(validatingCString: value), text.hasPrefix("/") else {
            return nil
        }
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        return end.map { String(text[...$0]) }
    }

    private static func names(in directory: String) -> [String] {
        var names: [String] = []
        // A directory that cannot be opened belongs to another user.
        _ = DirectoryNames.forEach(in: directory) { bytes, _ in
            if let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." { names.append(name) }
            return true
        }
        return names
    }

    private static func isTap(_ path: String) -> Bool { path.hasSuffix(suffix) && mode(path) == S_IFSOCK }

    private static func isDirectory(_ path: String) -> Bool { mode(path) == S_IFDIR }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        // A link could lead elsewhere.
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
