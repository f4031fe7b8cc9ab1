/// A function-typed variable whose calls can be heard: ReactiveCocoa's `rac_signalForSelector:`.
///
/// ```swift
/// import Bus
///
/// final class Door {
///     @Intercepted var open: @Sendable (String, Int) -> Bool = { name, floor in floor >= 0 }
/// }
///
/// let door = Door()
/// let subscription = door.$open.subscribe(next: { name, floor in print("\(name) went to \(floor)") })
/// _ = door.open("Ada", 3)
/// ```
///
/// Calling the variable calls the function and then, when it has returned, sends the arguments, as a tuple, on the
/// caller's thread; the result goes to the caller. `$open` is one and the same hot signal for all subscribers, also
/// after another function has replaced the first one. With one argument, its values are that argument, with none,
/// `Void`.
///
/// When the object dies, the signal completes. A function that was read from the variable before (`let open =
/// door.open`) can still be called then, unheard. A call costs one lock and as much as sending into a ``Subject``.
@propertyWrapper
public struct Intercepted<each Argument: Sendable, Result>: Sendable {
    private let interception: Interception<repeat each Argument, Result>
    private let end: CallEnd

    /// - Parameter wrappedValue: the function that calls reach until another is set.
    public init(wrappedValue: @escaping @Sendable (repeat each Argument) -> Result) {
        interception = Interception(wrappedValue)
        end = CallEnd { [calls = interception.calls] in calls.terminate(.completed) }
    }

    /// The function, which reports its calls. Setting it replaces the function.
    public var wrappedValue: @Sendable (repeat each Argument) -> Result {
        get {
            // Not this wrapper's storage as a whole: a caller that keeps the function must not delay the end.
            { [interception] (argument: repeat each Argument) in
                interception.call(repeat each argument)
            }
        }
        nonmutating set { interception.replace(newValue) }
    }

    /// The arguments of each call.
    ///
    /// ```
    /// calls       --(1, a)--(2, b)--x      (the object dies)
    /// $name       --(1, a)--(2, b)--|
    /// ```
    ///
    /// - Ends: when the object dies.
    /// - Fails: never.
    /// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
    /// - Buffers: at most 65,536 calls, while another is being delivered; a value that finds the queue full is lost,
    ///   and the subscribers are told.
    /// - Thread: the caller's, or that of another caller who is delivering.
    public var projectedValue: CallSignal<(repeat each Argument)> { CallSignal(interception.calls) }
}

/// The arguments of an intercepted function's calls. See ``Intercepted/projectedValue``.
public struct CallSignal<Value: Sendable>: Signal {
    public typealias Failure = Never
    private let calls: SerialObserver<Fanout<Value, Never>>

    init(_ calls: SerialObserver<Fanout<Value, Never>>) {
        self.calls = calls
    }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        calls.attach(observer)
    }

    public var chain: Chain { Chain(source: "calls") }
}

/// The function in force, and the subject that its calls are sent into.
final class Interception<each Argument: Sendable, Result>: Sendable {
    /// Functions over a pack can be stored by a type of their own, and in nothing generic.
    struct Function: Sendable {
        let call: @Sendable (repeat each Argument) -> Result
    }

    let calls = SerialObserver(Fanout<(repeat each Argument), Never>(), limit: 65_536, whilePaused: .pass)
    private let original: Lock<Function>

    init(_ original: @escaping @Sendable (repeat each Argument) -> Result) {
        self.original = Lock(Function(call: original))
    }

    func call(_ argument: repeat each Argument) -> Result {
        let function = original.withLock { $0 }
        let result = function.call(repeat each argument)
        _ = calls.next((repeat each argument))
        return result
    }

    func replace(_ function: @escaping @Sendable (repeat each Argument) -> Result) {
        let new = Function(call: function)
        let old = original.withLock { original -> Function in
            defer { original = new }
            return original
        }
        // The captures of the old function are released here, without the lock.
        withExtendedLifetime(old) {}
    }
}

/// Ends the signal when the object is gone.
final class CallEnd: Sendable {
    private let come: @Sendable () -> Void

    init(_ come: @escaping @Sendable () -> Void) {
        self.come = come
    }

    deinit {
        come()
    }
}
