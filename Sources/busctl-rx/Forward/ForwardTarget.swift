import Forwarding
import NATSBridge

/// The value of `--to`.
enum ForwardTarget: Sendable {
    case nats(NATSAddress)
    case otlp(OTLPAddress)

    /// - Parameter argument: `nats://HOST:PORT`, with `?creds=FILE` and `ca=FILE`, or `otlp+http://HOST:PORT`.
    init(argument: String) throws {
        if argument.hasPrefix("otlp+") {
            self = .otlp(try OTLPAddress(argument))
            return
        }
        let text =
            argument.hasPrefix("nats:nats://") || argument.hasPrefix("nats:tls://")
            ? argument.dropFirst(5) : argument[...]
        let (address, path) = try NATSAddress.parse(text)
        guard path.isEmpty else {
            throw BadValue(description: "write the subject with --subject, and the server alone as nats://HOST:PORT")
        }
        self = .nats(address)
    }
}
