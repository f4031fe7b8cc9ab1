import Bus
public import SystemPackage

/// Why a credential cannot be read.
public enum CredentialError: Error, Hashable, Sendable {
    /// The process was given none: `$CREDENTIALS_DIRECTORY` is not set.
    case none(name: String)
    /// No credential can have this name.
    case invalidName(String)
    /// It is longer than the caller allows.
    case tooLarge(name: String, size: Int, limit: Int)
    /// The file with this name is not a plain file.
    case notAFile(path: String)
    /// An operation of the system failed: "open".
    case system(operation: String, path: String, errno: Errno)
}

extension CredentialError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none(let name):
            "cannot read the credential \"\(name)\": this process was given none ($CREDENTIALS_DIRECTORY is not set); "
                + "see LoadCredential= and SetCredential= in systemd.exec(5)"
        case .invalidName(let name):
            "cannot read the credential \(name.debugDescription): a name is that of a file: 1 to 255 printable ASCII "
                + "characters without / and :, and not . or .."
        case .tooLarge(let name, let size, let limit):
            "cannot read the credential \"\(name)\": it has \(size) bytes, and \(limit) are allowed"
        case .notAFile(let path): "cannot read the credential \(path): it is no plain file"
        case .system(let operation, let path, let errno):
            "cannot \(operation) the credential \(path): \(SystemError.numbered(errno.rawValue))"
                + (errno == .noSuchFileOrDirectory ? "; the unit has no LoadCredential= or SetCredential= for it" : "")
        }
    }
}
