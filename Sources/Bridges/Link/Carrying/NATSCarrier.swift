import Bus
import NATSBridge

/// Carries messages over a NATS server, with the sequence number and the like in headers.
// Unchecked: touched only on the link's thread.
final class NATSCarrier: LinkCarrier, @unchecked Sendable {
    private let context: LinkContext
    private let prefix: TopicName
    private let nats: NATSConnection
    private let subscriptions = CompoundDisposable()
    private var inFlight = 0
    private var isFull = false
    private var isConnected = false
    private var isOver = false

    init(_ address: NATSAddress, prefix: TopicName, _ context: LinkContext) {
        self.context = context
        self.prefix = prefix
        var options = NATSOptions(servers: address.servers)
        options.name = context.sender.name
        if let credentials = address.credentials { options.authentication = .credentials(file: credentials) }
        options.certificateAuthority = address.authority
        // The link makes a new connection, so that the loss of the old one is seen.
        options.reconnectAttempts = 0
        options.pingInterval = .seconds(10)
        options.hearsItself = false
        nats = NATSConnection(options)
    }

    func start() {
        nats.events(on: context.thread).subscribe(next: { [weak self] in self?.happened($0) })
            .store(in: subscriptions)
        for pattern in context.heard { listen(to: pattern) }
        nats.flush(timeout: .seconds(10)) { [weak self, thread = context.thread] result in
            thread.schedule { [weak self] in
                guard let self, !self.isOver else { return }
                switch result {
                case .success:
                    self.isConnected = true
                    self.context.report(.connected)
                case .failure(let error): self.fail(error)
                }
            }
        }
    }

    private func listen(to pattern: TopicPattern) {
        // The pattern of one topic is its name, which is not read from each message then.
        let only = pattern.literalPrefix == nil ? try? TopicName(checking: pattern.description) : nil
        nats.messages(
            to: "\(prefix).\(pattern)",
            limit: messagesWaiting,
            byteLimit: bytesWaiting,
            on: context.thread
        ).subscribe(
            next: { [weak self] message in
                guard let self, !self.isOver, let topic = only ?? self.topic(of: message.subject) else { return }
                self.context.report(.heard(topic, LinkMessage.reading(message)))
            },
            failed: { [weak self] in self?.fail($0) },
            // The numbers of the values show what is missing.
            lost: { _ in }
        ).store(in: subscriptions)
    }

    private func happened(_ event: NATSEvent) {
        switch event {
        case .disconnected, .closed: fail("the connection to \(nats.place) was lost")
        case .refused(let error):
            guard !isOver, let topic = topic(ofRefusal: error) else { return }
            context.report(.unsent(topic, "\(error)"))
        case .connected, .reconnected: break
        }
    }

    /// The topic of a message that the server did not permit, which the error names.
    private func topic(ofRefusal error: NATSError) -> TopicName? {
        let parts = error.operation.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 1 ? topic(of: parts[1]) : nil
    }

    private func topic(of subject: some StringProtocol) -> TopicName? {
        guard subject.hasPrefix(prefix.text + ".") else { return nil }
        // A name that is none is no topic of this link.
        return try? TopicName(checking: subject.dropFirst(prefix.text.count + 1))
    }

    var isReady: Bool {
        isFull = inFlight >= messagesInFlight
        return !isFull
    }

    func send(_ message: LinkMessage, on topic: TopicName) {
        inFlight += 1
        let parcel = NATSMessage(subject: "\(prefix).\(topic)", headers: message.headers, payload: message.payload)
        nats.publish(parcel) { [weak self, context] result in
            context.thread.schedule { [weak self] in
                // Also when the connection has failed, of which messages on their way hear after the carrier.
                if case .failure(let error) = result { context.report(.unsent(topic, "\(error)")) }
                self?.isHandled()
            }
        }
    }

    /// A message is sent, or was reported.
    private func isHandled() {
        inFlight -= 1
        if isOver { return }
        if isFull, inFlight <= messagesInFlight / 2 {
            isFull = false
            context.report(.ready)
        }
        if inFlight == 0 { context.report(.idle) }
    }

    private func fail(_ error: NATSError) {
        // Until then whatever fails is part of connecting.
        fail("\(isConnected ? error : NATSError(error.reason, "connect", server: error.server))")
    }

    private func fail(_ reason: String) {
        guard !isOver else { return }
        isConnected = false
        stop(within: .zero) {}
        context.report(.failed(reason))
    }

    var isIdle: Bool { inFlight == 0 }

    func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        isOver = true
        subscriptions.dispose()
        guard isConnected else {
            nats.close()
            return done()
        }
        // Closing does the same, but does not say when.
        nats.flush(timeout: .seconds(1)) { [nats] _ in
            nats.close()
            done()
        }
    }
}

extension LinkMessage {
    fileprivate var headers: NATSHeaders {
        var headers: NATSHeaders = [
            "Bus-Sender": sender.id, "Bus-From": sender.name, "Bus-Sequence": "\(sequence)", "Bus-Time": "\(time)",
            "Bus-Origin": origin,
        ]
        if let traceparent { headers["traceparent"] = traceparent.text }
        return headers
    }

    fileprivate static func reading(_ message: NATSMessage) -> Result<LinkMessage, LinkFlaw> {
        let headers = message.headers
        return Result { () throws(LinkFlaw) in
            try LinkMessage(
                sender: headers["Bus-Sender"],
                name: headers["Bus-From"],
                sequence: headers["Bus-Sequence"].flatMap { UInt64($0) },
                time: headers["Bus-Time"].flatMap { Int64($0) },
                origin: headers["Bus-Origin"],
                traceparent: headers["traceparent"],
                payload: message.payload
            )
        }
    }
}
