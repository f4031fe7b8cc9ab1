import Bus
import TapBridge

/// Carries messages over a socket that this program serves. A bus of its own has the messages of all programs; its tap shows them to
/// the other programs and takes theirs.
// Unchecked: touched only on the link's thread.
final class TapServingCarrier: LinkCarrier, @unchecked Sendable {
    private let path: String
    private let context: LinkContext
    private let messages = NotificationBus()
    /// Has the messages of other programs. They are heard on ``messages``, too.
    private let others: NotificationBus
    private var tap: Tap?
    private var subscription: (any Disposable)?
    private var isOver = false

    init(_ path: String, _ context: LinkContext) {
        self.path = path
        self.context = context
        others = messages.child(named: "others")
    }

    func start() {
        let capacity = MemoryBudget(bytesWaiting)
        subscription = others.envelopes(matching: ">", of: TapJSON.self, limit: messagesWaiting)
            // On the tap's thread, which alone posts there.
            .compactMap { message in
                capacity.share(message.value.text.count).map { Waiting(message: message, share: $0) }
            }
            .deliver(on: context.thread, limit: messagesWaiting, overflow: .dropOldest)
            .subscribe(
                next: { [weak self] in self?.hear($0.message) },
                // The numbers of the values show what is missing.
                lost: { _ in }
            )
        do throws(TapError) {
            tap = try messages.serve(at: path, options: options)
        } catch {
            stop(within: .zero) {}
            return context.report(.failed("\(error)"))
        }
        context.report(.connected)
    }

    private var options: TapOptions {
        var options = context.options.tap
        // With the headers.
        options.valueSize = TapOptions.maxMessageSize
        // A program that has nothing to say for long is no stranger.
        options.messageTimeout = .seconds(365 * 86400)
        options.processorShare = .infinity
        // The filter of each program reads every message.
        options.letFiltersReadLargeValues()
        options.redact = nil
        options.postElsewhere = { [others] topic, json in
            guard !others.isClosed else { throw LinkFlaw("the program that serves ends") }
            let message = try LinkMessage(json: json)
            // The filters of the other programs would leave it out in silence.
            if LinkMessage.isTooDeep(message.payload) { throw LinkFlaw(LinkMessage.tooDeep) }
            guard AnyJSON.isOne(message.payload) else { throw LinkFlaw("the value is not JSON") }
            // As this program writes it: whatever else the text held, such as a second field of the same name, stays behind.
            others.post(TapJSON(message.json), to: Topic(topic))
        }
        return options
    }

    /// A message on its way to the link's thread, and its share of the memory that such messages may take.
    private struct Waiting: Sendable {
        let message: Envelope<TapJSON>
        let share: MemoryBudget.Share
    }

    private func hear(_ envelope: Envelope<TapJSON>) {
        guard !isOver, context.heard.contains(where: { $0.matches(envelope.topic) }) else { return }
        let message = Result { () throws(LinkFlaw) in try LinkMessage(json: envelope.value.text) }
        context.report(.heard(envelope.topic, message))
    }

    /// Each program that watches has a queue of its own, and loses what does not fit into it.
    let isReady = true

    func send(_ message: LinkMessage, on topic: TopicName) {
        messages.post(TapJSON(message.json), to: Topic(topic))
    }

    let isIdle = true

    func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        isOver = true
        subscription?.dispose()
        // Ends the watches, each behind the messages that were posted before.
        messages.close()
        guard let tap else { return done() }
        tap.end(within: patience, then: done)
    }
}
