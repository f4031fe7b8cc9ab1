import NATSBridge

extension NATSAddress {
    /// The value of `--to`: `nats://HOST:PORT`, with `?creds=FILE` and `ca=FILE`.
    init(argument: String) throws {
        let text =
            argument.hasPrefix("nats:nats://") || argument.hasPrefix("nats:tls://")
            ? argument.dropFirst(5) : argument[...]
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, rest) = try Self.split(parts[0])
        guard rest.isEmpty else {
            throw BadValue(description: "write the subject with --subject, and the server alone as nats://HOST:PORT")
        }
        var options = try URLOptions(parts.count > 1 ? parts[1] : "", names: Self.options)
        try self.init(place, &options)
    }
}
