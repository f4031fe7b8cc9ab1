/// Runs the methods that are called, each in a task of its own. They begin in the order of the calls.
struct DBusAnswering: Sendable {
    private struct Call: Sendable {
        let number: UInt64
        let method: DBusInterface.Method
        let message: DBusMessage
    }

    private let calls: AsyncStream<Call>.Continuation
    private let serving: Task<Void, Never>

    init(_ link: DBusLink) {
        // Few calls are being answered, so few wait here.
        let (stream, calls) = AsyncStream.makeStream(of: Call.self)
        self.calls = calls
        serving = Task {
            await withDiscardingTaskGroup { group in
                for await call in stream {
                    group.addImmediateTask { await Self.answer(call, link) }
                }
            }
        }
    }

    func begin(_ number: UInt64, _ method: DBusInterface.Method, _ message: DBusMessage) {
        calls.yield(Call(number: number, method: method, message: message))
    }

    /// Cancels the methods that run, and begins no other.
    func end() {
        calls.finish()
        serving.cancel()
    }

    private static func answer(_ call: Call, _ link: DBusLink) async {
        let reply: DBusReply
        do {
            reply = .values(try await call.method.body(call.message))
        } catch {
            reply = .failure(error)
        }
        // A link that has ended has forgotten the call.
        _ = link.accept(.reply(call.number, reply))
    }
}
