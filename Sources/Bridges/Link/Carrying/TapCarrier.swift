import Bus
import DequeModule
import Loop
import TapBridge
import Timers

/// Carries messages over the socket that another program serves: it watches the messages of the others there, and posts its own.
// Unchecked: touched only on the link's thread.
final class TapCarrier: LinkCarrier, @unchecked Sendable {
    private let path: String
    private let context: LinkContext
    private var watch: (any Disposable)?
    private var posting: TapPosting?
    /// The topics of the messages that were not answered yet, and how many bytes were posted for each.
    private var inFlight: Deque<(topic: TopicName, size: Int)> = []
    private var isFull = false
    /// Set when the connection for posts has ended, and decides whether the program has.
    private var lost: CompoundDisposable?
    private let patience: Duration
    private var isOver = false

    /// - Parameter patience: how long a program that does not answer may take to end the connection that is heard.
    init(_ path: String, _ context: LinkContext, patience: Duration = .seconds(5)) {
        self.path = path
        self.context = context
        self.patience = patience
    }

    func start() {
        watch = TapClient(path: path)
            .watch(filter: filter, buffer: 4 << 20, on: context.thread)
            .subscribe(
                next: { [weak self] in self?.hear($0) },
                failed: { [weak self] in self?.fail("\($0)") },
                completed: { [weak self, path] in self?.fail("the program that serves \(path) has ended the connection")
                },
                // The program that serves leaves out what does not fit, and the numbers of the values show it.
                lost: { _ in }
            )
    }

    /// Selects the messages of others on the topics that are heard. It keeps the link's own messages from coming back.
    private var filter: String {
        let others = "value.sender != \"\(context.sender.id)\""
        func quoted(_ text: String) -> String {
            "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        let names = context.heard.filter { $0.literalPrefix == nil }.map { quoted($0.description) }
        let beginnings = context.heard.compactMap(\.literalPrefix).map { "topic.startsWith(\(quoted($0)))" }
        let topics = (["topic in [\(names.joined(separator: ", "))]"] + beginnings).joined(separator: " || ")
        let filter = "(\(topics)) && \(others)"
        // A filter has a limit. The link leaves out other topics itself.
        return filter.utf8.count <= 4000 ? filter : others
    }

    private func hear(_ news: TapNews) {
        guard !isOver else { return }
        switch news {
        case .began: beginPosting()
        case .event(let event):
            // A name that is none is no topic of this link.
            guard let topic = try? TopicName(checking: event.topic) else { return }
            guard let value = event.value else {
                return context.report(.heard(topic, .failure(LinkFlaw("it is too large to be carried"))))
            }
            context.report(.heard(topic, Result { () throws(LinkFlaw) in try LinkMessage(json: value) }))
        case .gap, .position: break
        }
    }

    private func beginPosting() {
        do throws(TapClientError) {
            posting = try TapPosting(path: path, on: EventLoop(on: context.thread)) { [weak self] in self?.happened($0)
            }
        } catch {
            return fail("\(error)")
        }
        context.report(.connected)
    }

    private func happened(_ event: TapPosting.Event) {
        guard !isOver else { return }
        switch event {
        case .answered(let error):
            let topic = inFlight.popFirst()?.topic
            if let error, let topic { context.report(.unsent(topic, "\(error)")) }
            if isFull, inFlight.count <= messagesInFlight / 2 {
                isFull = false
                context.report(.ready)
            }
            if inFlight.isEmpty { context.report(.idle) }
        case .ended(.disconnected): beginWaitingForTheEnd()
        case .ended(let error): fail("\(error)")
        }
    }

    /// A program that ends closes both connections. The messages that it sent before are still to be read from the
    /// other one, whose end is the failure. A program that answers has not ended.
    private func beginWaitingForTheEnd() {
        let reason = "\(TapClientError.disconnected(path: path))"
        let lost = CompoundDisposable()
        self.lost = lost
        let timer = TimerScheduler.shared.schedule(after: patience) { [weak self, thread = context.thread] in
            thread.schedule { [weak self] in self?.fail(reason) }
        }
        lost.add(ActionDisposable { timer.cancel() })
        TapClient(path: path).replies(to: "org.varlink.service.GetInfo", on: context.thread)
            .subscribe(
                next: { [weak self] _ in self?.fail(reason) },
                failed: { [weak self] error in
                    switch error {
                    // Without an answer, the program ends.
                    case .cannotConnect, .disconnected: break
                    case .closed, .malformedReply, .refused: self?.fail(reason)
                    }
                }
            ).store(in: lost)
    }

    var isReady: Bool {
        isFull = lost != nil || inFlight.count >= messagesInFlight
        return !isFull
    }

    func send(_ message: LinkMessage, on topic: TopicName) {
        inFlight.append((topic, posting?.post(message.json, to: topic.text) ?? 0))
    }

    private func fail(_ reason: String) {
        guard !isOver else { return }
        stop(within: .zero) {}
        context.report(.failed(reason))
    }

    /// Reports the messages that were not sent to their last byte: nobody has handled these.
    private func reportUnsent() {
        var bytes = posting?.unsent ?? 0
        let first = inFlight.lastIndex { message in
            bytes -= message.size
            return bytes <= 0
        }
        guard let first, posting?.unsent ?? 0 > 0 else { return }
        for (topic, _) in inFlight[first...] {
            context.report(.unsent(topic, "the connection ended before it was sent"))
        }
        inFlight = []
    }

    var isIdle: Bool { inFlight.isEmpty }

    func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        isOver = true
        lost?.dispose()
        watch?.dispose()
        posting?.flush()
        posting?.close()
        reportUnsent()
        done()
    }
}
