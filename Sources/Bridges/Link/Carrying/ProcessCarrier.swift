import Bus

/// Carries nothing: all who hear the topics are on the bus itself.
final class ProcessCarrier: LinkCarrier {
    private let context: LinkContext

    init(_ context: LinkContext) {
        self.context = context
    }

    func start() { context.report(.connected) }

    let isReady = true

    func send(_ message: LinkMessage, on topic: TopicName) {}

    let isIdle = true

    func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) { done() }
}
