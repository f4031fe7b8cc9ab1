import Bus
import Observation

/// Follows one property for all its listeners.
///
/// Observation calls back before a property is set, and once. At each call the tracker reads the value, which is that
/// of the change before, and listens for the next change. When the scheduler is free again, it reads the value of the
/// last change. So no change is missed, and none is heard with the value it replaced.
final class ObservationTracker<Object: Observable & AnyObject & Sendable, Value: Sendable>: AnyObservationTracker,
    @unchecked Sendable
{
    private struct State {
        var listeners: [ObservationListener<Value>] = []
        var isTracking = false
        /// A change was announced whose value has not been read.
        var isPending = false
        /// The values of earlier changes, not yet heard.
        var earlier: [Value] = []
        var lost = 0
    }

    private static var limit: Int { 1024 }

    private weak let object: Object?
    private let keyPath: SharedKeyPath<Object, Value>
    private let scheduler: any Scheduler
    private let state = Lock(State())

    init(
        _ object: Object,
        _ keyPath: SharedKeyPath<Object, Value>,
        _ place: ObservationTrackers.Place,
        _ scheduler: any Scheduler
    ) {
        self.object = object
        self.keyPath = keyPath
        self.scheduler = scheduler
        super.init(place)
    }

    /// Whether it sends on the scheduler.
    func serves(_ scheduler: any Scheduler) -> Bool {
        (self.scheduler as AnyObject) === (scheduler as AnyObject)
    }

    // MARK: On the scheduler

    func add(_ listener: ObservationListener<Value>, _ object: Object) {
        // Pending values go to those who listened when the changes happened.
        say(object)
        let isTracking = state.withLock { state -> Bool in
            defer { state.isTracking = true }
            state.listeners.append(listener)
            return state.isTracking
        }
        listener.onStop { [self] in remove(listener) }
        listener.emitter.send(isTracking ? object[keyPath: keyPath.keyPath] : track(object))
    }

    private func say(_ object: Object) {
        let (isPending, lost, earlier) = state.withLock { state -> (Bool, Int, [Value]) in
            defer {
                state.isPending = false
                state.lost = 0
                state.earlier = []
            }
            return (state.isPending, state.lost, state.earlier)
        }
        guard isPending else { return }
        let values = earlier + [object[keyPath: keyPath.keyPath]]
        for listener in state.withLock({ $0.listeners }) {
            if lost > 0 { listener.emitter.sendLoss(of: lost) }
            for value in values where listener.emitter.send(value) == .stop { break }
        }
    }

    // MARK: Where the object is changed

    /// Reads the value, and listens to the next change.
    private func track(_ object: Object) -> Value {
        let watch = ObservationWatch(
            changing: { [weak object, self] in if let object { willChange(object) } },
            gone: { [self] in watchGone() }
        )
        return withObservationTracking {
            object[keyPath: keyPath.keyPath]
        } onChange: {
            watch.change()
        }
    }

    private func willChange(_ object: Object) {
        let isWanted = state.withLock { state -> Bool in
            state.isTracking = !state.listeners.isEmpty
            return state.isTracking
        }
        guard isWanted else { return ObservationTrackers.shared.remove(self) }
        let value = track(object)
        let (isFirst, dropped) = state.withLock { state -> (Bool, Value?) in
            guard state.isPending else {
                state.isPending = true
                return (true, nil)
            }
            state.earlier.append(value)
            guard state.earlier.count > Self.limit else { return (false, nil) }
            state.lost += 1
            return (false, state.earlier.removeFirst())
        }
        // Released here, not under the lock: its deinitialiser may change the property.
        withExtendedLifetime(dropped) {}
        // Keeps the object until its change was heard.
        if isFirst { scheduler.schedule { [self] in say(object) } }
    }

    /// Nothing is observed any more: the object has died, or the property can never change.
    private func watchGone() {
        guard object == nil else { return }
        let listeners = state.withLock { state -> [ObservationListener<Value>] in
            defer { state.listeners = [] }
            return state.listeners
        }
        ObservationTrackers.shared.remove(self)
        for listener in listeners { listener.emitter.complete() }
    }

    private func remove(_ listener: ObservationListener<Value>) {
        state.withLock { $0.listeners.removeAll { $0 === listener } }
    }
}

/// The object that Observation keeps for one change: when it is released without a change, the observed object is
/// gone.
private final class ObservationWatch: Sendable {
    private let hasChanged = Lock(false)
    private let changing: @Sendable () -> Void
    private let gone: @Sendable () -> Void

    init(changing: @escaping @Sendable () -> Void, gone: @escaping @Sendable () -> Void) {
        self.changing = changing
        self.gone = gone
    }

    deinit {
        if !hasChanged.withLock({ $0 }) { gone() }
    }

    func change() {
        hasChanged.withLock { $0 = true }
        changing()
    }
}
