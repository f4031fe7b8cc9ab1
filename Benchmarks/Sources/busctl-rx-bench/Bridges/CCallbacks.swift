import Bus
import CallbackBridge
import Synchronization

extension Benchmark {
    /// Calls by a C library with a context pointer, compared with a callback that reaches its object through the
    /// pointer.
    static var cCallback: Contest {
        Contest(
            name: "C callback",
            events: 4_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let library = Library()
                        let numbers = Signals.fromCCallback(of: Int.self) { context in
                            library.register(context.pointer) { context, number in
                                CallbackContext<Int, Never>.emitter(for: context)?.send(number)
                            }
                        } unregister: {
                            library.unregister()
                        }
                        let subscription = numbers.subscribe(next: { tally.add($0) })
                        library.call(count)
                        subscription.dispose()
                    }
                },
                .floor("a bare callback") { count in
                    Tally.of { tally in
                        let library = Library()
                        let listener = Unmanaged.passRetained(Listener(tally))
                        library.register(listener.toOpaque()) { context, number in
                            guard let context else { return }
                            Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().tally.add(number)
                        }
                        library.call(count)
                        library.unregister()
                        listener.release()
                    }
                },
            ]
        )
    }
}

private final class Listener: Sendable {
    let tally: Tally

    init(_ tally: Tally) { self.tally = tally }
}

/// What a C library keeps: a function and its context. Used on one thread.
private final class Library: @unchecked Sendable {
    typealias Callback = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void

    private var registered: (callback: Callback, context: UnsafeMutableRawPointer?)?

    func register(_ context: UnsafeMutableRawPointer?, _ callback: @escaping Callback) {
        registered = (callback, context)
    }

    func unregister() { registered = nil }

    /// Opaque to the compiler, like a library's functions.
    @inline(never)
    func call(_ count: Int) {
        for number in 0..<count {
            if let registered { registered.callback(registered.context, number) }
        }
    }
}
