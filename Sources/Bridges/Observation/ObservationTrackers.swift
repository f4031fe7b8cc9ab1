import Bus
import Observation

/// The properties that are or were listened to.
///
/// A registration of `withObservationTracking` cannot be removed: it stays until the property changes or the object
/// dies. So all listeners to one property share one registration, also when they come and go.
final class ObservationTrackers: Sendable {
    static let shared = ObservationTrackers()
    static let mainActor = ActorScheduler(MainActor.shared)

    struct Place: Hashable, @unchecked Sendable {
        // Key paths are immutable; this one is only compared.
        let object: ObjectIdentifier
        let keyPath: AnyKeyPath
    }

    private let trackers = Lock<[Place: AnyObservationTracker]>([:])

    var count: Int { trackers.withLock { $0.count } }

    /// Called on the scheduler.
    func add<Object: Observable & AnyObject & Sendable, Value: Sendable>(
        _ listener: ObservationListener<Value>,
        to object: Object,
        _ keyPath: SharedKeyPath<Object, Value>,
        on scheduler: any Scheduler
    ) {
        let place = Place(object: ObjectIdentifier(object), keyPath: keyPath.keyPath)
        let tracker = trackers.withLock { trackers -> ObservationTracker<Object, Value> in
            // The object is alive, so the registration at its address is its own; the types follow from the key path.
            if let present = trackers[place] as? ObservationTracker<Object, Value>, present.serves(scheduler) {
                return present
            }
            let new = ObservationTracker(object, keyPath, place, scheduler)
            trackers[place] = new
            return new
        }
        tracker.add(listener, object)
    }

    func remove(_ tracker: AnyObservationTracker) {
        // Released after the lock.
        _ = trackers.withLock { trackers -> AnyObservationTracker? in
            guard trackers[tracker.place] === tracker else { return nil }
            return trackers.removeValue(forKey: tracker.place)
        }
    }
}

class AnyObservationTracker: @unchecked Sendable {
    // A constant; the subclass's state is constant or locked.
    let place: ObservationTrackers.Place

    init(_ place: ObservationTrackers.Place) {
        self.place = place
    }
}
