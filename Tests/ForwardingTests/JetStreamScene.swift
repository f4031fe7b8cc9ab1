import Bus
import Foundation
import NATSBridge
import RecordSources
import TestSupport
import Testing

@testable import Forwarding

/// A server with one stream, and a cursor file.
final class JetStreamScene: Sendable {
    let server: TestNATSServer
    let nats: NATSConnection
    let notes = Heard<String>()
    let worker = ThreadScheduler(name: "forwarding")

    /// - Parameters:
    ///   - configuration: further lines for the server.
    ///   - settings: further ones of the stream, in JSON.
    init(_ configuration: String = "", settings: String = "") async throws {
        server = try await TestNATSServer.start(configuration + "\njetstream { store_dir: \"FOLDER/store\" }")
        var options = NATSOptions(server.url)
        options.reconnectWait = .milliseconds(20)
        options.connectTimeout = .seconds(600)
        nats = NATSConnection(options)
        try await makeStream(settings)
    }

    var file: CursorFile { CursorFile(path: server.folder + "/cursor") }

    func ask(_ name: String, _ body: String = "") async throws {
        let answer = try await nats.request(body, to: "$JS.API.\(name)", timeout: .seconds(600))
        #expect(!answer.text.contains("\"error\""), "\(answer.text)")
    }

    func makeStream(_ settings: String = "") async throws {
        try await ask("STREAM.CREATE.S", #"{"name":"S","subjects":["journal.>"],"storage":"file"\#(settings)}"#)
    }

    func makeStreamAnew() async throws {
        try await ask("STREAM.DELETE.S")
        try await makeStream()
    }

    /// Others store messages in the same stream.
    func storeOthers(_ count: Int) async throws {
        for _ in 0..<count {
            let message = NATSMessage(subject: "journal.other", payload: [1])
            _ = try await nats.publishAcknowledged(message, timeout: .seconds(600))
        }
    }

    /// Ends the server, does something with its store, and starts it again.
    func whileStopped(_ body: @Sendable (_ store: String, _ copy: String) throws -> Void) async throws {
        await server.stop()
        try body(server.folder + "/store", server.folder + "/copy")
        try await server.restart()
    }

    func copyStore() async throws {
        try await whileStopped { try FileManager.default.copyItem(atPath: $0, toPath: $1) }
    }

    func putStoreBack() async throws {
        try await whileStopped { store, copy in
            try FileManager.default.removeItem(atPath: store)
            try FileManager.default.copyItem(atPath: copy, toPath: store)
        }
    }

    func forwarded(
        _ source: GrowingSource,
        follow: Bool,
        checkInterval: Duration = .seconds(600)
    ) throws -> (news: AnySignal<Forwarder.News, ForwardError>, keeper: PlaceKeeper) {
        let sink = JetStreamSink(
            try NATSAddress.parse(server.url[...]).address,
            subject: "journal.a",
            checkInterval: checkInterval
        )
        let keeper = PlaceKeeper(file)
        let news = Forwarder(to: sink, on: worker) { source.items(behind: $0, follow: follow) }
            .forwarded(from: try ForwardPlace(file), keep: keeper, note: notes.append)
        return (news, keeper)
    }

    /// Forwards to the end of the source.
    func forward(_ count: Int) async throws {
        let (news, keeper) = try forwarded(GrowingSource(count), follow: false)
        for try await _ in news.values() {}
        #expect(keeper.finish() == nil)
    }

    /// The ids of the stream's messages on the subject.
    func stored() async throws -> [String] {
        var ids: [String] = []
        let items = nats.messages(ofStream: "S", subject: "journal.a", headersOnly: true).take(until: {
            $0 == .caughtUp
        })
        for try await case .message(let delivery) in items.values() {
            ids.append(delivery.message.headers["Nats-Msg-Id"] ?? "")
        }
        return ids
    }

    /// Waits until the stream has so many messages of the subject.
    func wait(for count: Int, _ source: GrowingSource) async throws {
        while !RunLimit.isOver {
            source.tell()
            if let ids = try? await stored(), ids.count >= count { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// Entries 1 to some number, which grows.
final class GrowingSource: Sendable {
    private let count: Lock<Int>
    private let grown = Subject<Void, Never>()

    init(_ count: Int) {
        self.count = Lock(count)
    }

    func grow(to number: Int) {
        count.withLock { $0 = number }
        tell()
    }

    /// Readers that have just begun may have missed that it grew.
    func tell() { grown.send(()) }

    func items(behind cursor: String?, follow: Bool) -> AnySignal<ForwardItem, ForwardError> {
        let next = Lock((cursor.flatMap { Int($0) } ?? 0) + 1)
        let news = follow ? grown.prepend(()).eraseToAnySignal() : Signals.just(()).eraseToAnySignal()
        return news.flatMap(.concat) { [count] _ in
            let numbers = next.withLock { next in
                let last = count.withLock { $0 }
                defer { next = max(next, last + 1) }
                return next..<max(next, last + 1)
            }
            return Signals.from(numbers.map { ForwardItem.entry(cursor: "\($0)", payload: Array("entry \($0)".utf8)) })
        }
        .promoteFailure(to: ForwardError.self)
        .eraseToAnySignal()
    }
}
