#if NATS
    /// How a connection says whose it is.
    public enum NATSAuthentication: Sendable, Hashable {
        /// By what the servers' addresses contain, if anything.
        case none
        case user(String, password: String)
        case token(String)
        /// A file with a user's JWT and the seed of its key, as `nsc` writes it. It is read at every connecting.
        case credentials(file: String)
    }
#endif
