extension Signals {
    /// The elements of an `AsyncSequence`. Cold: every subscription walks the sequence in a task of its own.
    ///
    /// ```
    /// elements       --1---2---3--end
    /// from(elements) --1---2---3--|
    /// ```
    ///
    /// A slow observer slows the sequence: the next element is requested when the last has been delivered, and none is
    /// requested while the observer pauses.
    ///
    /// - Ends: with the sequence, once its iterator is gone.
    /// - Fails: with the sequence's error, once its iterator is gone.
    /// - Cancelling: cancels the task. A sequence that ignores that keeps the task, not the chain, until it goes on.
    /// - Thread: one of Swift's cooperative pool.
    ///
    /// - Parameter elements: the sequence.
    // Otherwise the compiler weighs both `from`s against everything below them: a chain of five operators over an array
    // literal took 10 s to check, and takes 40 ms so.
    @_disfavoredOverload
    public static func from<Elements: AsyncSequence & Sendable>(
        _ elements: Elements
    ) -> some Signal<Elements.Element, Elements.Failure> where Elements.Element: Sendable {
        TaskSignal(name: "asyncSequence") { send throws(Elements.Failure) in
            var iterator = elements.makeAsyncIterator()
            while !Task.isCancelled, let element = try await iterator.next(isolation: nil) {
                if await send(element) == .stop { break }
            }
        }
    }
}

/// A signal that runs an asynchronous function for each subscription.
struct TaskSignal<Value: Sendable, Failure: Error>: Signal {
    /// Sends a value, and returns when another is wanted, or none.
    typealias Send = @Sendable (Value) async -> Demand

    let name: StaticString
    var priority: TaskPriority?
    /// The end is heard after this has returned or thrown, so its resources are released by then.
    let work: @Sendable (_ send: Send) async throws(Failure) -> Void

    init(
        name: StaticString,
        priority: TaskPriority? = nil,
        work: @escaping @Sendable (_ send: Send) async throws(Failure) -> Void
    ) {
        self.name = name
        self.priority = priority
        self.work = work
    }

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let output = SerialObserver(observer)
        let task = Task(priority: priority) { [work] in
            do throws(Failure) {
                try await work { await output.send($0) }
                output.terminate(.completed)
            } catch {
                output.terminate(.failed(error))
            }
        }
        output.resources.add(ActionDisposable { task.cancel() })
        return output.handle
    }

    var chain: Chain { Chain(source: name.description) }
}

extension SerialObserver where Downstream: ~Copyable {
    /// Sends a value from a task, and waits there until there is room for another.
    func send(_ value: Value) async -> Demand {
        let demand = next(value)
        return demand == .pause ? await ObserverReadiness.wait { whenReady($0) } : demand
    }
}
