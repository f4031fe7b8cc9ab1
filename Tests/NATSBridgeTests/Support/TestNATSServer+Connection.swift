import NATSBridge
import TestSupport

extension TestNATSServer {
    /// A connection that tries soon to be made again.
    func connection(_ change: (inout NATSOptions) -> Void = { _ in }) -> NATSConnection {
        var options = NATSOptions(url)
        options.reconnectWait = .milliseconds(20)
        // The machine may be busy.
        options.connectTimeout = .seconds(600)
        change(&options)
        return NATSConnection(options)
    }
}
