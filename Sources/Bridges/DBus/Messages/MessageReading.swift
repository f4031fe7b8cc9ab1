import CDBus
import Glibc
import Records
import SystemPackage

/// Reads a message of libsystemd. On the connection's thread.
struct MessageReading {
    let message: OpaquePointer
    /// The types of the signatures that were seen before.
    let types: DBusTypeCache

    func header() -> DBusMessage {
        var kind: UInt8 = 0
        var cookie: UInt64 = 0
        var reply: UInt64 = 0
        _ = sdbus.message_get_type(message, &kind)
        _ = sdbus.message_get_cookie(message, &cookie)
        let isReply = sdbus.message_get_reply_cookie(message, &reply) >= 0
        return DBusMessage(
            kind: DBusMessage.Kind(rawValue: kind) ?? .signal,
            cookie: cookie,
            replyCookie: isReply ? reply : nil,
            sender: text(sdbus.message_get_sender(message)),
            destination: text(sdbus.message_get_destination(message)),
            path: text(sdbus.message_get_path(message)),
            interface: text(sdbus.message_get_interface(message)),
            member: text(sdbus.message_get_member(message)),
            errorName: sdbus.message_get_error(message).flatMap { text($0.pointee.name) },
            expectsReply: sdbus.message_get_expect_reply(message) > 0,
            startsService: sdbus.message_get_auto_start(message) > 0,
            allowsInteraction: sdbus.message_get_allow_interactive_authorization(message) > 0,
            realtime: RecordTime(microseconds: microseconds(of: CLOCK_REALTIME)),
            monotonic: .microseconds(microseconds(of: CLOCK_MONOTONIC)),
            signature: text(sdbus.message_get_signature(message, 1)) ?? "",
            arguments: []
        )
    }

    private func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// All arguments.
    func arguments() throws(DBusReadError) -> [DBusValue] {
        try check(sdbus.message_rewind(message, 1))
        let signature = text(sdbus.message_get_signature(message, 1)) ?? ""
        let types = types.types(signature)
        guard types.isEmpty == signature.isEmpty else { throw DBusReadError(code: EBADMSG) }
        return try values(types)
    }

    private func values(_ types: [DBusType]) throws(DBusReadError) -> [DBusValue] {
        var values: [DBusValue] = []
        values.reserveCapacity(types.count)
        for type in types { values.append(try value(type)) }
        return values
    }

    private func value(_ type: DBusType) throws(DBusReadError) -> DBusValue {
        switch type {
        case .byte: return .byte(try basic("y", 0))
        case .boolean: return .boolean(try basic("b", 0 as CInt) != 0)
        case .int16: return .int16(try basic("n", 0))
        case .uint16: return .uint16(try basic("q", 0))
        case .int32: return .int32(try basic("i", 0))
        case .uint32: return .uint32(try basic("u", 0))
        case .int64: return .int64(try basic("x", 0))
        case .uint64: return .uint64(try basic("t", 0))
        case .double: return .double(try basic("d", 0))
        case .string: return .string(try string("s"))
        case .objectPath: return .objectPath(try string("o"))
        case .signature: return .signature(try string("g"))
        case .descriptor:
            // The message owns the descriptor and closes it.
            let number: CInt = try basic("h", -1)
            do throws(DBusError) {
                return .descriptor(try DBusDescriptor(duplicating: FileDescriptor(rawValue: number)))
            } catch {
                throw DBusReadError(code: EMFILE)
            }
        case .variant: return try variant()
        case .array(.byte): return .bytes(try bytes())
        case .array(let element):
            var elements: [DBusValue] = []
            try inside("a") { () throws(DBusReadError) in
                while try hasMore() { elements.append(try value(element)) }
            }
            return .array(elements, of: element)
        case .dictionary(let key, let value):
            var dictionary = DBusDictionary(keyType: key, valueType: value)
            try inside("a") { () throws(DBusReadError) in
                while try hasMore() { dictionary.entries.append(try entry(key, value)) }
            }
            return .dictionary(dictionary)
        case .structure(let types):
            var members: [DBusValue] = []
            try inside("r") { () throws(DBusReadError) in members = try values(types) }
            return .structure(members)
        }
    }

    private func entry(_ key: DBusType, _ value: DBusType) throws(DBusReadError) -> DBusDictionary.Entry {
        try enter("e")
        let entry = DBusDictionary.Entry(key: try self.value(key), value: try self.value(value))
        try check(sdbus.message_exit_container(message))
        return entry
    }

    private func variant() throws(DBusReadError) -> DBusValue {
        var letter: CChar = 0
        var contents: UnsafePointer<CChar>?
        try check(sdbus.message_peek_type(message, &letter, &contents))
        let inner = types.types(text(contents) ?? "")
        guard inner.count == 1 else { throw DBusReadError(code: EBADMSG) }
        try enter("v")
        let value = try value(inner[0])
        try check(sdbus.message_exit_container(message))
        return .variant(value)
    }

    /// Whether the container has more.
    private func hasMore() throws(DBusReadError) -> Bool { try check(sdbus.message_at_end(message, 0)) == 0 }

    private func bytes() throws(DBusReadError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var size = 0
        try check(sdbus.message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &size))
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: size)) } ?? []
    }

    private func inside(_ letter: Unicode.Scalar, _ read: () throws(DBusReadError) -> Void) throws(DBusReadError) {
        try enter(letter)
        try read()
        try check(sdbus.message_exit_container(message))
    }

    /// Enters the next container. libsystemd knows its content.
    private func enter(_ letter: Unicode.Scalar) throws(DBusReadError) {
        guard try check(sdbus.message_enter_container(message, Self.code(letter), nil)) > 0 else {
            throw DBusReadError(code: EBADMSG)
        }
    }

    private func basic<Number: BitwiseCopyable>(
        _ letter: Unicode.Scalar,
        _ empty: Number
    ) throws(DBusReadError) -> Number {
        var number = empty
        guard try check(sdbus.message_read_basic(message, Self.code(letter), &number)) > 0 else {
            throw DBusReadError(code: EBADMSG)
        }
        return number
    }

    private func string(_ letter: Unicode.Scalar) throws(DBusReadError) -> String {
        var start: UnsafePointer<CChar>?
        try check(sdbus.message_read_basic(message, Self.code(letter), &start))
        guard let text = text(start) else { throw DBusReadError(code: EBADMSG) }
        return text
    }

    private static func code(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }

    @discardableResult
    private func check(_ result: CInt) throws(DBusReadError) -> CInt {
        guard result >= 0 else { throw DBusReadError(code: -result) }
        return result
    }

    private func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }
}

/// A message whose contents are inconsistent.
struct DBusReadError: Error {
    let code: CInt
}
