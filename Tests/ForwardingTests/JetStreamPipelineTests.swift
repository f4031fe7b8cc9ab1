import Bus
import Glibc
import JournalBridge
import NATSBridge
import RecordSources
import TestSupport
import Testing

@testable import Forwarding

@Suite(
    "Entries that are pipelined to a stream",
    .serialized,
    .enabled(if: access("/usr/sbin/nats-server", X_OK) == 0, "needs nats-server")
)
struct JetStreamPipelineTests {
    private static func entry(_ number: Int, size: Int = 10) -> ForwardItem {
        .entry(cursor: "\(number)", payload: [UInt8](repeating: UInt8(ascii: "x"), count: size))
    }

    private func run(
        _ scene: JetStreamScene,
        _ source: @escaping Forwarder.Source
    ) async throws -> (news: [Forwarder.News], failure: ForwardError?) {
        let sink = JetStreamSink(try NATSAddress.parse(scene.server.url[...]).address, subject: "journal.a")
        let keeper = PlaceKeeper(scene.file)
        let forwarded = Forwarder(to: sink, on: scene.worker, from: source)
            .forwarded(from: try ForwardPlace(scene.file), keep: keeper, note: scene.notes.append)
        var news: [Forwarder.News] = []
        var failure: ForwardError?
        do {
            for try await item in forwarded.values() { news.append(item) }
        } catch ReceiveError<ForwardError>.failed(let reason) {
            failure = reason
        }
        #expect(keeper.finish() == nil)
        return (news, failure)
    }

    @Test("a refused entry is left out alone, whether the server is asked or not; what is between passes in order")
    func refused() async throws {
        let scene = try await JetStreamScene("max_payload: 4096", settings: #","max_msg_size":600"#)
        let items = (1...1000).flatMap { number -> [ForwardItem] in
            switch number {
            // More than the stream takes, and more than the server.
            case 1, 300, 301: [Self.entry(number, size: 1000)]
            case 500, 1000: [Self.entry(number, size: 5000)]
            case 700: [.place("\(number)"), .note("something is missing")]
            default: [Self.entry(number)]
            }
        }
        let (news, failure) = try await run(scene) { _ in
            Signals.from(items).promoteFailure(to: ForwardError.self).eraseToAnySignal()
        }
        let missing = [1, 300, 301, 500, 700, 1000]
        #expect(failure == nil && news.filter { $0 == .leftOut }.count == 5)
        #expect(try await scene.stored() == (1...1000).filter { !missing.contains($0) }.map(String.init))
        #expect(try ForwardPlace(scene.file).cursor == "1000")
        let notes = scene.notes.values
        for number in missing where number != 700 {
            #expect(notes.filter { $0.hasPrefix("the entry \(number) is left out: ") }.count == 1, "\(notes)")
        }
        #expect(notes.count == 6 && notes.contains("something is missing"))
    }

    @Test("when the server goes, the source is released before that is told")
    func serverGoes() async throws {
        let scene = try await JetStreamScene()
        let live = Lock(0)
        let sink = JetStreamSink(try NATSAddress.parse(scene.server.url[...]).address, subject: "journal.a")
        let keeper = PlaceKeeper(scene.file)
        let liveWhenTold = Heard<Int>()
        let forwarding = Forwarder(to: sink, on: scene.worker) { _ in
            Signals.create(of: ForwardItem.self, failure: ForwardError.self, limit: 1) { emitter in
                live.withLock { $0 += 1 }
                emitter.send(.place("1"))
                return ActionDisposable { live.withLock { $0 -= 1 } }
            }
            .eraseToAnySignal()
        }
        .forwarded(from: try ForwardPlace(scene.file), keep: keeper) { _ in liveWhenTold.append(live.withLock { $0 }) }
        .subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        while try ForwardPlace(scene.file).cursor != "1" { try await Task.sleep(for: .milliseconds(2)) }
        await scene.server.stop()
        while liveWhenTold.values.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        #expect(liveWhenTold.values == [0])
        forwarding.dispose()
        #expect(keeper.finish() == nil)
    }

    @Test("a source that fails ends it with its own failure; the place is no further than what is stored")
    func sourceFails() async throws {
        let scene = try await JetStreamScene()
        let lost = ForwardError("the journal is gone", .end)
        let (_, failure) = try await run(scene) { _ in
            Signals.from(1...101).promoteFailure(to: ForwardError.self)
                .attemptMap { number throws(ForwardError) in
                    if number > 100 { throw lost }
                    return Self.entry(number)
                }
                .eraseToAnySignal()
        }
        #expect(failure == lost)
        let place = try ForwardPlace(scene.file)
        let stored = try await scene.stored()
        #expect((place.cursor.flatMap { Int($0) } ?? 0) <= stored.count)
        #expect(stored == (1...100).prefix(stored.count).map(String.init))
    }

    @Test("lines are split into entries, by their cursors")
    func lines() {
        let text = "{\"__CURSOR\":\"a\",\"A\":\"1\"}\n\n{\"__CURSOR\":\"b\"}\n{\"B\":1}\n{\"__CURSOR\":\"c"
        let items = ForwardLines.items(.entries(Array(text.utf8)))
        guard items.count == 4, case .entry("a", let first) = items[0], case .entry("b", let second) = items[1],
            case .note = items[2], case .note = items[3]
        else {
            Issue.record("\(items)")
            return
        }
        #expect(first == Array("{\"__CURSOR\":\"a\",\"A\":\"1\"}".utf8) && second == Array("{\"__CURSOR\":\"b\"}".utf8))
        #expect(ForwardLines.items(.entries([])).isEmpty && ForwardLines.items(.entries([0x0A])).isEmpty)
    }
}
