import Bus
import CDBus

/// The objects that a connection serves, and the calls of them that are being answered. On the connection's thread.
final class DBusObjects {
    typealias Report = @Sendable (Result<Void, DBusError>) -> Void

    private struct Served {
        let export: UInt64
        let interfaces: [DBusInterface]
    }

    private struct Running {
        let message: OpaquePointer
        let method: DBusInterface.Method
        let share: MemoryBudget.Share
    }

    /// The most calls that are answered at a time.
    private static let limit = 64
    /// The memory that their arguments may take. A call of any size is taken while less is in use.
    private let capacity = MemoryBudget(DBusCapacity.size)
    private var unwritten = DBusUnwritten()

    private let link: DBusLink
    private var objects: [String: Served] = [:]
    private var reports: [UInt64: (operation: String, report: Report)] = [:]
    private var running: [UInt64: Running] = [:]
    private var lastCall: UInt64 = 0
    private lazy var answering = DBusAnswering(link)
    private var hasAnswered = false

    init(_ link: DBusLink) {
        self.link = link
    }

    /// Serves objects. `report` hears that they are served, or why not, and later that the connection has ended.
    func add(_ number: UInt64, _ added: [DBusObject], _ report: @escaping Report) {
        let operation = DBusObject.operation(added)
        func refuse(_ flaw: String) { report(.failure(DBusError(.invalid(flaw), operation))) }
        if let flaw = added.lazy.compactMap(\.flaw).first { return refuse(flaw) }
        let paths = added.map(\.path)
        guard Set(paths).count == paths.count else { return refuse("a path comes twice") }
        if let path = paths.first(where: { objects[$0] != nil }) { return refuse("'\(path)' is served already") }
        for object in added {
            let interfaces = object.interfaces + [.properties(of: object.interfaces), .introspectable]
            objects[object.path] = Served(export: number, interfaces: interfaces)
        }
        reports[number] = (operation, report)
        report(.success(()))
    }

    /// Serves objects no longer. Calls that are being answered are answered.
    func remove(_ number: UInt64) {
        guard reports.removeValue(forKey: number) != nil else { return }
        objects = objects.filter { $0.value.export != number }
    }

    /// Begins to answer a call. An object, an interface or a method that is not here, other arguments than the method takes, and too many
    /// calls at a time are refused at once.
    func take(_ header: DBusMessage, _ reading: MessageReading, _ output: DBusOutput) {
        let path = header.path ?? ""
        let children = children(of: path)
        guard objects[path] != nil || !children.isEmpty else {
            return refuse(reading.message, DBusReply.Name.object, "there is no object '\(path)' here", output)
        }
        let interfaces = objects[path]?.interfaces ?? [.introspectable]
        let meant = interfaces.filter { header.interface == nil || header.interface == $0.name }
        guard !meant.isEmpty else {
            let name = header.interface ?? ""
            return refuse(reading.message, DBusReply.Name.interface, "'\(path)' has no interface '\(name)'", output)
        }
        guard let (interface, method) = Self.method(header.member, in: meant) else {
            let name = header.member ?? ""
            return refuse(reading.message, DBusReply.Name.method, "'\(path)' has no method '\(name)' there", output)
        }
        guard method.takes == header.signature else {
            let text = "\(method.name) takes '\(method.takes)' and not '\(header.signature)'"
            return refuse(reading.message, DBusReply.Name.arguments, text, output)
        }
        guard interface != DBusNames.introspectable else {
            let description = DBusIntrospection(interfaces: interfaces, children: children)
            return answer(reading.message, method, [.string(description.xml)], output)
        }
        guard running.count < Self.limit else {
            let text = "\(Self.limit) calls are being answered already"
            return refuse(reading.message, DBusReply.Name.limits, text, output)
        }
        start(method, header, reading, output)
    }

    /// Sends the result of a method.
    func answer(_ number: UInt64, _ reply: DBusReply, _ output: DBusOutput) {
        guard let call = running.removeValue(forKey: number) else { return }
        defer { _ = sdbus.message_unref(call.message) }
        switch reply {
        case .values(let values): answer(call.message, call.method, values, output)
        case .error(let name, let message): refuse(call.message, name, message, output)
        }
    }

    private func answer(
        _ call: OpaquePointer,
        _ method: DBusInterface.Method,
        _ values: [DBusValue],
        _ output: DBusOutput
    ) {
        guard sdbus.message_get_expect_reply(call) > 0 else { return }
        guard unwritten.add(values.reduce(0) { $0 + $1.footprint }, waiting: output.waiting) else {
            let text = "more than \(DBusCapacity.size >> 20) MiB of answers wait to be written"
            return refuse(call, DBusReply.Name.limits, text, output)
        }
        output.answer(call, values, method)
    }

    /// Refuses a call. A peer that has not read so many answers does not hear this one either.
    private func refuse(_ call: OpaquePointer, _ name: String, _ text: String, _ output: DBusOutput) {
        guard sdbus.message_get_expect_reply(call) > 0,
            unwritten.add(text.utf8.count, waiting: output.waiting, within: 2 * DBusCapacity.size)
        else { return }
        output.refuse(call, name, text)
    }

    /// Lets go of everything, since the connection has ended.
    func end(_ reason: DBusError.Reason) {
        if hasAnswered { answering.end() }
        for call in running.values { _ = sdbus.message_unref(call.message) }
        let left = reports.values
        (objects, reports, running) = ([:], [:], [:])
        for (operation, report) in left { report(.failure(DBusError(reason, operation))) }
    }

    private func start(
        _ method: DBusInterface.Method,
        _ header: DBusMessage,
        _ reading: MessageReading,
        _ output: DBusOutput
    ) {
        var call = header
        do throws(DBusReadError) {
            call.arguments = try reading.arguments()
        } catch {
            return refuse(reading.message, DBusReply.Name.arguments, "the arguments cannot be read", output)
        }
        guard let share = capacity.share(call.footprint) else {
            let text = "calls with more than \(DBusCapacity.size >> 20) MiB are being answered already"
            return refuse(reading.message, DBusReply.Name.limits, text, output)
        }
        lastCall += 1
        let number = lastCall
        _ = sdbus.message_ref(reading.message)
        running[number] = Running(message: reading.message, method: method, share: share)
        hasAnswered = true
        answering.begin(number, method, call)
    }

    private static func method(
        _ name: String?,
        in interfaces: [DBusInterface]
    ) -> (interface: String, method: DBusInterface.Method)? {
        for interface in interfaces {
            if let method = interface.methods.first(where: { $0.name == name }) { return (interface.name, method) }
        }
        return nil
    }

    /// The names of the objects right below a path, including those that only lead to others.
    private func children(of path: String) -> [String] {
        let prefix = path == "/" ? "/" : path + "/"
        let names = objects.keys.lazy.filter { $0.hasPrefix(prefix) && $0 != path }
            .map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }
        return Set(names).sorted()
    }
}
