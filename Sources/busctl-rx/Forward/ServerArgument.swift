import NATSBridge

extension NATSAddress {
    /// The value of `--to`: `nats://HOST:PORT`, with `?creds=FILE` and `ca=FILE`.
    init(argument: String) throws {
        let text =
            argument.hasPrefix("nats:nats://") || argument.hasPrefix("nats:tls://")
            ? argument.dropFirst(5) : argument[...]
        let (address, path) = try Self.parse(text)
        guard path.isEmpty else {
            throw BadValue(description: "write the subject with --subject, and the server alone as nats://HOST:PORT")
        }
        self = address
    }
}
