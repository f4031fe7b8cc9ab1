public import Bus

/// An interface that this program serves: methods, properties and signals.
///
/// ```swift
/// import Bus
/// import DBusBridge
///
/// let level = MutableProperty(7)
/// let lamp = DBusInterface("org.example.Lamp")
///     .method("Blink", takes: "u", returns: "s") { call in [.string("blinked \(call.arguments[0].integer ?? 0) times")] }
///     .property("Level", level, as: "i") { level.value = $0 }
///     .signal("Broken", carries: "s")
/// ```
///
/// Names and signatures are checked when the interface is served; one that breaks a rule of the D-Bus specification
/// is refused then.
public struct DBusInterface: Sendable {
    struct Method: Sendable {
        let name: String
        let takes: String
        let returns: String
        let body: @Sendable (DBusMessage) async throws -> [DBusValue]
    }

    struct Property: Sendable {
        let name: String
        let signature: String
        let get: @Sendable () throws -> DBusValue
        let set: (@Sendable (DBusValue) throws -> Void)?
        /// Calls the closure at each change.
        let observe: @Sendable (@escaping @Sendable () -> Void) -> any Disposable
    }

    struct Signal: Sendable {
        let name: String
        let signature: String
    }

    /// Two elements or more with dots between them, such as `org.example.Lamp`.
    public let name: String
    private(set) var methods: [Method] = []
    private(set) var properties: [Property] = []
    private(set) var signals: [Signal] = []

    /// An interface without members; ``method(_:takes:returns:_:)``, `property` and ``signal(_:carries:)`` add them.
    public init(_ name: String) {
        self.name = name
    }

    /// The interface with a method.
    ///
    /// Each call runs in a task of its own. Calls begin in the order in which they came. While a call waits, the next
    /// can begin; a call that blocks its thread keeps the others of the connection from beginning. At most 64 of a
    /// connection are answered at a time; further ones are refused with `org.freedesktop.DBus.Error.LimitsExceeded`.
    /// A call whose arguments are not of the types in `takes` is refused and does not reach `body`.
    ///
    /// - Parameters:
    ///   - name: the method's name.
    ///   - takes: the signature of the arguments.
    ///   - returns: the signature of the answer.
    ///   - body: answers a call. An error that it throws is the answer: a ``DBusReplyError`` by its name, every other as
    ///     `org.freedesktop.DBus.Error.Failed`. Its task is cancelled when the connection ends.
    public func method(
        _ name: String,
        takes: String = "",
        returns: String = "",
        _ body: @escaping @Sendable (_ call: DBusMessage) async throws -> [DBusValue]
    ) -> DBusInterface {
        var interface = self
        interface.methods.append(Method(name: name, takes: takes, returns: returns, body: body))
        return interface
    }

    /// The interface with a property that shows a property of this program. Its changes are sent by
    /// `PropertiesChanged`; changes in quick succession are sent together.
    ///
    /// - Parameters:
    ///   - name: its name on the bus.
    ///   - property: the property to show. It is kept as long as the interface is served.
    ///   - signature: its type on the bus.
    ///   - set: called when another program sets it; nil if none may. An error that it throws is the answer.
    public func property<Shown: PropertyProtocol>(
        _ name: String,
        _ property: Shown,
        as signature: String,
        set: (@Sendable (Shown.Value) throws -> Void)? = nil
    ) -> DBusInterface where Shown.Value: Codable {
        var interface = self
        var write: (@Sendable (DBusValue) throws -> Void)?
        if let set { write = { value in try set(try value.decode(Shown.Value.self)) } }
        interface.properties.append(
            Property(
                name: name,
                signature: signature,
                get: { try DBusValue(encoding: property.value, as: signature) },
                set: write,
                observe: { changed in property.changes.subscribe(next: { _ in changed() }) }
            )
        )
        return interface
    }

    /// The interface with a signal that its introspection describes. ``DBusConnection/emit(at:interface:member:arguments:to:)`` sends it.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - signature: the types of its values, as D-Bus writes them; empty for none.
    public func signal(_ name: String, carries signature: String = "") -> DBusInterface {
        var interface = self
        interface.signals.append(Signal(name: name, signature: signature))
        return interface
    }
}

/// An error as the answer to a call of one of this program's methods.
public struct DBusReplyError: Error, Hashable, Sendable {
    /// An interface-like name, `org.example.Error.TooBright`.
    public let name: String
    /// A description of the error, for a person.
    public let message: String

    /// An error to throw from a method. A name that breaks the rules of D-Bus is sent as
    /// `org.freedesktop.DBus.Error.Failed`.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }
}

extension DBusInterface {
    /// Why it cannot be served.
    var flaw: String? {
        guard DBusNames.isInterface(name) else { return "'\(name.prefix(300))' is no interface name" }
        let signatures =
            methods.flatMap { [$0.takes, $0.returns] } + signals.map(\.signature) + properties.map(\.signature)
        for signature in signatures {
            do throws(DBusSignatureError) {
                _ = try [DBusType](signature: signature)
            } catch {
                return error.description
            }
        }
        for property in properties where (try? DBusType(property.signature)) == nil {
            return "the property '\(property.name)' has '\(property.signature)' for its type, which is not one type"
        }
        let names = [methods.map(\.name), properties.map(\.name), signals.map(\.name)]
        for name in names.joined() where !DBusNames.isMember(name) { return "'\(name.prefix(300))' is no member name" }
        for names in names where Set(names).count < names.count { return "a member of '\(name)' comes twice" }
        return nil
    }
}
