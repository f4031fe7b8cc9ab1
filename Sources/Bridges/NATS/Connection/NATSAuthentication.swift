/// How a connection says whose it is.
public enum NATSAuthentication: Sendable, Hashable {
    /// By what the servers' addresses contain, if anything.
    case none
    /// By a user's name and password.
    case user(String, password: String)
    /// By a token that the server is configured with.
    case token(String)
    /// A file with a user's JWT and the seed of its key, as `nsc` writes it. It is read at every connecting.
    case credentials(file: String)
}

extension NATSAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How it is done and by whom, without passwords and tokens.
    public var description: String {
        switch self {
        case .none: "no authentication"
        case .user(let name, _): "the user \(name)"
        case .token: "a token"
        case .credentials(let file): "the credentials file \(file)"
        }
    }

    public var debugDescription: String { description }

    /// Without children, which would be the secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
