#if NATS
    import NATSBridge
    import TestSupport

    extension TestNATSServer {
        /// A connection that tries soon to be made again.
        func connection(_ change: (inout NATSOptions) -> Void = { _ in }) -> NATSConnection {
            var options = NATSOptions(url)
            options.reconnectWait = .milliseconds(20)
            change(&options)
            return NATSConnection(options)
        }
    }

    /// Returns when `condition` is true, or the run's time is over.
    func until(_ condition: @Sendable () -> Bool) async {
        while !condition(), !RunLimit.isOver {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
#endif
