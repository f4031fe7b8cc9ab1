import Bus

/// The closure properties that signals listen at.
///
/// Who joins or leaves is decided under the lock; the properties, which are other people's code, are set after it, in the
/// order of the decisions, by whichever thread is at it.
final class ClosureSlots: Sendable {
    static let shared = ClosureSlots()

    /// Which property. Another object may have the address later: then the link is gone.
    private struct Place: Hashable, Sendable {
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

    private struct Entry: Sendable {
        weak let link: AnyClosureLink?
        var members = 1
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var changes: [@Sendable () -> Void] = []
        var isChanging = false
    }

    private let state = Lock(State())

    /// How many properties are listened at.
    var count: Int { state.withLock { $0.entries.count } }

    func join<Object: AnyObject & Sendable, Value: Sendable>(
        _ object: Object,
        _ keyPath: any ReferenceWritableKeyPath<Object, (@Sendable (Value) -> Void)?> & Sendable
    ) -> ClosureLink<Value> {
        let place = Place(object: ObjectIdentifier(object), keyPath: keyPath)
        let new = ClosureLink<Value>()
        let link = state.withLock { state -> ClosureLink<Value> in
            // The link's type follows from the key path.
            if let present = state.entries[place]?.link as? ClosureLink<Value> {
                state.entries[place]?.members += 1
                return present
            }
            state.entries[place] = Entry(link: new)
            state.changes.append {
                let previous = object[keyPath: keyPath]
                new.previous.withLock { $0 = previous }
                object[keyPath: keyPath] = { value in
                    previous?(value)
                    new.subject.send(value)
                }
            }
            return new
        }
        change()
        return link
    }

    func leave<Object: AnyObject & Sendable, Value: Sendable>(
        _ object: Object?,
        _ keyPath: any ReferenceWritableKeyPath<Object, (@Sendable (Value) -> Void)?> & Sendable,
        _ link: ClosureLink<Value>?
    ) {
        // Without its link the closure is not in the property any more, and what is there now stays.
        guard let object, let link else { return }
        let place = Place(object: ObjectIdentifier(object), keyPath: keyPath)
        state.withLock { state in
            guard let entry = state.entries[place], entry.link === link else { return }
            guard entry.members == 1 else {
                state.entries[place]?.members -= 1
                return
            }
            state.entries[place] = nil
            state.changes.append {
                object[keyPath: keyPath] = link.previous.withLock { $0 }
            }
        }
        change()
    }

    /// Forgets properties whose objects or closures are gone.
    func forgetGone() {
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.link != nil }
        }
    }

    /// Makes the changes that were decided, unless another thread is making them, which then makes these too.
    private func change() {
        var isFirst = true
        while true {
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                if isFirst, state.isChanging { return nil }
                isFirst = false
                state.isChanging = !state.changes.isEmpty
                return state.changes.isEmpty ? nil : state.changes.removeFirst()
            }
            guard let next else { return }
            next()
        }
    }
}

class AnyClosureLink: @unchecked Sendable {
    // Without state of its own; the subclass's is constant or locked.

    deinit {
        ClosureSlots.shared.forgetGone()
    }
}

/// What stands in a closure property, for all who listen there. Held by the closure alone.
final class ClosureLink<Value: Sendable>: AnyClosureLink, @unchecked Sendable {
    let subject = Subject(of: Value.self, limit: 1024)
    let previous = Lock<(@Sendable (Value) -> Void)?>(nil)
}
