import Bus

/// The closure properties that signals listen at.
///
/// Joining and leaving are decided under the lock; the properties, which are other people's code, are set after it. Each
/// property is set by one thread at a time, in the order of the decisions, and no property waits for another.
final class ClosureSlots: Sendable {
    static let shared = ClosureSlots()

    /// The property. Another object may have the address later: then the link is gone.
    fileprivate struct Place: Hashable, Sendable {
        let object: ObjectIdentifier
        let keyPath: any AnyKeyPath & Sendable

        static func == (one: Place, other: Place) -> Bool {
            one.object == other.object && one.keyPath as AnyKeyPath == other.keyPath as AnyKeyPath
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(object)
            hasher.combine(keyPath as AnyKeyPath)
        }
    }

    /// In an object of its own: an optional structure with both a weak reference and an identity in it is copied from
    /// nowhere when it is nil (Swift 6.3).
    private final class WeakLink: Sendable {
        weak let link: AnyClosureLink?

        init(_ link: AnyClosureLink) {
            self.link = link
        }
    }

    private struct Entry: Sendable {
        let weakLink: WeakLink
        /// The link's identity, to be compared without holding the link: releasing its last reference releases
        /// foreign closures.
        let identity: ObjectIdentifier
        var members = 1
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        /// Changes that are yet to be made to a property.
        var changes: [Place: [@Sendable () -> Void]] = [:]
        /// The properties that a thread is setting.
        var changing: Set<Place> = []
    }

    private let state = Lock(State())

    /// How many properties are listened at.
    var count: Int { state.withLock { $0.entries.count } }

    func join<Object: AnyObject & Sendable, Value: Sendable>(
        _ object: Object,
        _ keyPath: any ReferenceWritableKeyPath<Object, (@Sendable (Value) -> Void)?> & Sendable
    ) -> ClosureLink<Value> {
        let place = Place(object: ObjectIdentifier(object), keyPath: keyPath)
        let new = ClosureLink<Value>(place)
        let link = state.withLock { state -> ClosureLink<Value> in
            // The link's type follows from the key path.
            if let present = state.entries[place]?.weakLink.link as? ClosureLink<Value> {
                state.entries[place]?.members += 1
                return present
            }
            state.entries[place] = Entry(weakLink: WeakLink(new), identity: ObjectIdentifier(new))
            state.changes[place, default: []].append {
                let previous = object[keyPath: keyPath]
                new.previous.withLock { $0 = previous }
                object[keyPath: keyPath] = { value in
                    previous?(value)
                    new.subject.send(value)
                }
            }
            return new
        }
        change(place)
        return link
    }

    func leave<Object: AnyObject & Sendable, Value: Sendable>(
        _ object: Object?,
        _ keyPath: any ReferenceWritableKeyPath<Object, (@Sendable (Value) -> Void)?> & Sendable,
        _ link: ClosureLink<Value>?
    ) {
        // Without its link the closure is not in the property any more, and the present closure stays.
        guard let object, let link else { return }
        let place = Place(object: ObjectIdentifier(object), keyPath: keyPath)
        state.withLock { state in
            guard let entry = state.entries[place], entry.identity == ObjectIdentifier(link) else { return }
            guard entry.members == 1 else {
                state.entries[place]?.members -= 1
                return
            }
            state.entries[place] = nil
            state.changes[place, default: []].append {
                object[keyPath: keyPath] = link.previous.withLock { $0 }
            }
        }
        change(place)
    }

    /// Forgets a property whose object or closure is gone.
    fileprivate func forget(_ place: Place, _ link: ObjectIdentifier) {
        state.withLock { state in
            if state.entries[place]?.identity == link { state.entries[place] = nil }
        }
    }

    /// Makes the changes that were decided for a property, unless another thread is making them, which then makes these
    /// too.
    private func change(_ place: Place) {
        var isMine = false
        while true {
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                if !isMine, state.changing.contains(place) { return nil }
                isMine = true
                guard state.changes[place]?.isEmpty == false else {
                    state.changes[place] = nil
                    state.changing.remove(place)
                    return nil
                }
                state.changing.insert(place)
                return state.changes[place]?.removeFirst()
            }
            guard let next else { return }
            next()
        }
    }
}

class AnyClosureLink: @unchecked Sendable {
    // Constant; the subclass's properties are constant or locked.
    private let place: ClosureSlots.Place

    fileprivate init(_ place: ClosureSlots.Place) {
        self.place = place
    }

    deinit {
        ClosureSlots.shared.forget(place, ObjectIdentifier(self))
    }
}

/// The closure in a property, for all its subscribers. Only the closure holds it.
final class ClosureLink<Value: Sendable>: AnyClosureLink, @unchecked Sendable {
    let subject = Subject(of: Value.self, limit: 1024)
    let previous = Lock<(@Sendable (Value) -> Void)?>(nil)
}
