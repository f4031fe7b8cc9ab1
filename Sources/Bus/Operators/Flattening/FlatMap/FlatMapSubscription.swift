/// One subscription to a `flatMap`: performs what ``FlatMapTurns`` decides.
@usableFromInline
final class FlatMapSubscription<Element: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Sendable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let inners = CompoundDisposable()
    @usableFromInline let turns: Lock<FlatMapTurns<Element>>
    @usableFromInline let transform: @Sendable (Element) -> Inner
    @usableFromInline let room = WaitingRoom()
    @usableFromInline let starts = Trampoline()

    @inlinable
    init(
        _ output: SerialObserver<Downstream>,
        turns: FlatMapTurns<Element>,
        transform: @escaping @Sendable (Element) -> Inner
    ) {
        self.output = output
        self.turns = Lock(turns)
        self.transform = transform
        output.resources.add(inners)
        // Wakes a source that waits for its turn when the subscription ends under it.
        output.resources.add(ActionDisposable { [room] in room.wake() })
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func outerNext(_ value: Element) -> Demand {
        guard !output.isClosing else { return .stop }
        var startsNow = false
        let admission = room.admit(
            mayWait: { true },
            isClosed: { self.output.isClosing },
            attempt: {
                let arrival = turns.withLock { $0.arrived(value) }
                startsNow = arrival == .start
                return arrival != .full
            }
        )
        switch admission {
        case .admitted: if startsNow { start(value) }
        case .refused: output.lose()
        case .closed: break
        }
        return output.demand
    }

    @inlinable
    func outerCompleted() {
        let isDone = turns.withLock { turns -> Bool in
            turns.outerIsDone = true
            return turns.isDone
        }
        if isDone || output.isClosing { output.terminate(.completed) }
    }

    @inlinable
    func start(_ value: Element) {
        let registration = InnerRegistration()
        let handle = transform(value).subscribe(FlatMapInnerObserver(self, registration))
        registration.started(handle, in: inners)
    }

    @inlinable
    func innerCompleted(_ registration: InnerRegistration) {
        registration.ended(in: inners)
        let isDone = turns.withLock { turns -> Bool in
            turns.running -= 1
            return turns.isDone
        }
        if isDone || output.isClosing {
            output.terminate(.completed)
        } else {
            startWaiting()
        }
    }

    @inlinable
    func startWaiting() {
        starts.run {
            while !output.isClosing, let value = turns.withLock({ $0.takeTurn() }) {
                room.wake()
                start(value)
            }
        }
    }
}
