import Bus
import Glibc
import LinkBridge
import TestSupport
import Testing

/// In a process of their own, where nobody else opens anything.
@Suite("Links that are over leave nothing")
struct LinkResidueTests {
    @Test("Over a socket")
    func socket() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TapFolder()
            await Residue.exitIfLeft(Stress.rounds(50, stress: 2000)) { Self.round(folder.socket) }
        }
    }

    /// Two programs are linked, one value goes over, both end.
    private static func round(_ socket: String) {
        let (first, second) = (NotificationBus(), NotificationBus())
        let serving = first.link([Topic.numbers.shared()], over: .socket(socket, serving: true))
        Self.wait { done in serving.news.subscribe(next: { if case .connected = $0 { done() } }) }
        let client = second.link([Topic.numbers.shared()], over: .socket(socket))
        Self.wait { done in client.news.subscribe(next: { if case .connected = $0 { done() } }) }
        Self.wait { done in
            let heard = first.signal(for: .numbers).subscribe(next: { _ in done() })
            second.post(Numbered(from: "a", number: 1), to: .numbers)
            return heard
        }
        for link in [client, serving] {
            Self.wait { done in
                let news = link.news.subscribe(completed: done)
                link.dispose()
                return news
            }
        }
        // The socket's file goes with its tap.
        waitUntil { access(socket, F_OK) != 0 }
    }

    private static func wait(_ start: (_ done: @escaping @Sendable () -> Void) -> any Disposable) {
        let latch = Latch()
        let subscription = start { latch.open() }
        latch.wait()
        subscription.dispose()
    }
}

extension BusAddress {
    /// A path that the test has chosen.
    fileprivate static func socket(_ path: String, serving: Bool = false) -> BusAddress {
        do {
            return try unix(path, serving: serving)
        } catch {
            fatalError("\(error)")
        }
    }
}
