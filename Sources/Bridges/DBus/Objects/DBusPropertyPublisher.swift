import Bus

/// Sends changes of an object's properties to the bus. Changes that come during sending are sent together afterwards.
final class DBusPropertyPublisher: Sendable {
    private struct State: Sendable {
        var changed: [String: Set<String>] = [:]
        var isTelling = false
        var isOver = false
    }

    private let object: DBusObject
    private let core: DBusCore
    private let state = Lock(State())

    init(_ object: DBusObject, _ core: DBusCore) {
        self.object = object
        self.core = core
    }

    func start() -> any Disposable {
        var observations: [any Disposable] = []
        for interface in object.interfaces {
            for property in interface.properties {
                observations.append(property.observe { [self] in note(property.name, of: interface.name) })
            }
        }
        return ActionDisposable { [self, observations] in
            for observation in observations { observation.dispose() }
            state.withLock { $0.isOver = true }
        }
    }

    private func note(_ property: String, of interface: String) {
        let isFirst = state.withLock { state in
            state.changed[interface, default: []].insert(property)
            guard !state.isTelling, !state.isOver else { return false }
            state.isTelling = true
            return true
        }
        // Reading a property may run the user's code, which this thread must not wait for.
        if isFirst { Task { await tell() } }
    }

    private func tell() async {
        while let (interface, names) = next() {
            var changed = DBusDictionary(keyType: .string, valueType: .variant)
            var invalidated: [DBusValue] = []
            for property in object.interfaces.first(where: { $0.name == interface })?.properties ?? [] {
                guard names.contains(property.name) else { continue }
                if let value = try? property.get() {
                    changed.entries.append(.init(key: .string(property.name), value: .variant(value)))
                } else {
                    // A caller that reads it gets the reason why it has no value.
                    invalidated.append(.string(property.name))
                }
            }
            await emit([.string(interface), .dictionary(changed), .array(invalidated, of: .string)])
        }
    }

    private func next() -> (interface: String, names: Set<String>)? {
        state.withLock { state in
            guard !state.isOver, let entry = state.changed.popFirst() else {
                state.isTelling = false
                return nil
            }
            return (entry.key, entry.value)
        }
    }

    private func emit(_ arguments: [DBusValue]) async {
        let emission = DBusEmission(object.path, DBusNames.properties, "PropertiesChanged", arguments)
        await withCheckedContinuation { continuation in
            // If the connection is lost, serving ends, and its subscriber hears that.
            core.performIfOpen(.emit(emission) { _ in continuation.resume() })
        }
    }
}
