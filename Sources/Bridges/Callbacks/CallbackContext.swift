public import Bus

/// The context pointer that a C library hands back with each callback.
///
/// It looks like a pointer and is a number: nothing lies where it points, and the library must only hand it back. So
/// no callback can ever touch freed memory. A callback that comes while the subscription ends, or long after, finds
/// no subscription and is not heard.
///
/// It needs this from the C library: to hand the pointer back as it is, all 64 bits, and never to dereference it. The
/// library may call from any thread, at once, during and after the unregistering, any number of times.
public struct CallbackContext<Value: Sendable, Failure: Error>: Sendable {
    private let ticket: UInt

    @usableFromInline
    init(ticket: UInt) {
        self.ticket = ticket
    }

    /// To be given to the C library. Never null.
    public var pointer: UnsafeMutableRawPointer {
        // A number that is not zero.
        // swift-format-ignore: NeverForceUnwrap
        UnsafeMutableRawPointer(bitPattern: ticket)!
    }

    /// The emitter for a context pointer, to be asked for in the C callback; nil when the subscription is over, and
    /// for null.
    ///
    /// The types must be those of the signal: a pointer of another type's signal ends the program with a message.
    @inlinable
    public static func emitter(for pointer: UnsafeMutableRawPointer?) -> Emitter<Value, Failure>? {
        guard let holder = CallbackTickets.shared.holder(of: UInt(bitPattern: pointer)) else { return nil }
        guard type(of: holder) == EmitterHolder<Value, Failure>.self else {
            fatalError(
                "a C callback takes its context for one of \(Value.self), and it is \(type(of: holder))"
            )
        }
        // Looked at above; `as?` would ask the runtime, which takes longer than all the rest.
        return unsafeDowncast(holder, to: EmitterHolder<Value, Failure>.self).emitter
    }
}

@usableFromInline
final class EmitterHolder<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let emitter: Emitter<Value, Failure>

    @usableFromInline
    init(_ emitter: Emitter<Value, Failure>) {
        self.emitter = emitter
    }
}

extension Signals {
    /// The calls of a C library's callback, for interfaces that take a function and a context pointer. Cold: every
    /// subscription registers on its own.
    ///
    /// ```
    /// C callback    --1---2---3---
    /// fromCCallback --1---2---3---
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import CallbackBridge
    /// import Glibc
    ///
    /// let answers = Signals.fromCCallback(of: Int.self) { context in
    ///     var thread = pthread_t()
    ///     pthread_create(
    ///         &thread, nil,
    ///         { context in
    ///             let emitter = CallbackContext<Int, Never>.emitter(for: context)
    ///             emitter?.send(42)
    ///             emitter?.complete()
    ///             return nil
    ///         },
    ///         context.pointer
    ///     )
    ///     return thread
    /// } unregister: { thread in
    ///     pthread_detach(thread)
    /// }
    /// let subscription = answers.subscribe(next: { print($0) })
    /// ```
    ///
    /// A closure that registers and may throw declares its error (`{ context throws(OpenError) -> Int in … }`).
    ///
    /// - Ends: when the callback says so through the emitter, once `unregister` has returned.
    /// - Fails: likewise, and with the error of `register`; then nothing is unregistered.
    /// - Cancelling: unregisters, exactly once. A callback that comes during or after that is not heard; see
    ///   ``CallbackContext``.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers. The C library is never
    ///   kept waiting.
    /// - Thread: the one that the C library calls on, or another that is calling.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - failure: the type of the failure.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost and counted.
    ///   - register: gives the library the C function and the context, and returns the token for unregistering.
    ///   - unregister: takes them back. It is called on the thread that ends the subscription, which may be inside the
    ///     callback; a library that forbids that must be asked on another thread.
    @inlinable
    public static func fromCCallback<Value: Sendable, Failure: Error, Registration: Sendable>(
        of type: Value.Type,
        failure: Failure.Type,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        register: @escaping @Sendable (CallbackContext<Value, Failure>) throws(Failure) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) -> some Signal<Value, Failure> {
        create(of: Value.self, failure: Failure.self, limit: limit, overflow: overflow) { emitter in
            guard emitter.demand != .stop else { return nil }
            let ticket = CallbackTickets.shared.issue(to: EmitterHolder(emitter))
            do throws(Failure) {
                let registration = try register(CallbackContext(ticket: ticket))
                return ActionDisposable {
                    CallbackTickets.shared.retire(ticket)
                    unregister(registration)
                }
            } catch {
                CallbackTickets.shared.retire(ticket)
                emitter.fail(error)
                return nil
            }
        }
    }

    /// The calls of a C library's callback, where registering cannot fail. See
    /// ``Bus/Signals/fromCCallback(of:failure:limit:overflow:register:unregister:)``.
    @inlinable
    public static func fromCCallback<Value: Sendable, Registration: Sendable>(
        of type: Value.Type,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause,
        register: @escaping @Sendable (CallbackContext<Value, Never>) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) -> some Signal<Value, Never> {
        fromCCallback(
            of: Value.self,
            failure: Never.self,
            limit: limit,
            overflow: overflow,
            register: register,
            unregister: unregister
        )
    }
}
