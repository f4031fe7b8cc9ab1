import CDBus
import Glibc

/// Reads a message of libsystemd. On the connection's thread.
struct MessageReading {
    let message: OpaquePointer

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
            realtime: microseconds(of: CLOCK_REALTIME),
            monotonic: microseconds(of: CLOCK_MONOTONIC),
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
        return try rest()
    }

    /// The type of what comes next, and of what is in it; nil at the end of the container.
    private func next() throws(DBusReadError) -> (letter: UInt8, contents: String)? {
        var letter: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = try check(sdbus.message_peek_type(message, &letter, &contents))
        return result == 0 ? nil : (UInt8(bitPattern: letter), text(contents) ?? "")
    }

    private func value(_ letter: UInt8, _ contents: String) throws(DBusReadError) -> DBusValue {
        switch letter {
        case UInt8(ascii: "a"): return try array(contents)
        case UInt8(ascii: "r"):
            return try inside(letter, contents) { () throws(DBusReadError) in .structure(try rest()) }
        case UInt8(ascii: "v"):
            return try inside(letter, contents) { () throws(DBusReadError) in
                guard let (letter, contents) = try next() else { throw DBusReadError(code: EBADMSG) }
                return .variant(try value(letter, contents))
            }
        case UInt8(ascii: "y"): return .byte(try basic(letter, 0))
        case UInt8(ascii: "b"): return .boolean(try basic(letter, 0 as CInt) != 0)
        case UInt8(ascii: "n"): return .int16(try basic(letter, 0))
        case UInt8(ascii: "q"): return .uint16(try basic(letter, 0))
        case UInt8(ascii: "i"): return .int32(try basic(letter, 0))
        case UInt8(ascii: "u"): return .uint32(try basic(letter, 0))
        case UInt8(ascii: "x"): return .int64(try basic(letter, 0))
        case UInt8(ascii: "t"): return .uint64(try basic(letter, 0))
        case UInt8(ascii: "d"): return .double(try basic(letter, 0))
        case UInt8(ascii: "s"): return .string(try string(letter))
        case UInt8(ascii: "o"): return .objectPath(try string(letter))
        case UInt8(ascii: "g"): return .signature(try string(letter))
        case UInt8(ascii: "h"):
            // The message owns the descriptor and closes it.
            let number: CInt = try basic(letter, -1)
            do throws(DBusError) {
                return .descriptor(try DBusDescriptor(duplicating: number))
            } catch {
                throw DBusReadError(code: EMFILE)
            }
        default: throw DBusReadError(code: EBADMSG)
        }
    }

    private func array(_ contents: String) throws(DBusReadError) -> DBusValue {
        if contents == "y" { return .bytes(try bytes()) }
        let element: DBusType
        // An entry `{sv}` names a type only together with its array.
        let type = try? DBusType("a" + contents)
        switch type {
        case .dictionary(let key, let value): return try dictionary(contents, key, value)
        case .array(let inner): element = inner
        default: throw DBusReadError(code: EBADMSG)
        }
        return try inside(UInt8(ascii: "a"), contents) { () throws(DBusReadError) in .array(try rest(), of: element) }
    }

    private func dictionary(_ contents: String, _ key: DBusType, _ value: DBusType) throws(DBusReadError) -> DBusValue {
        try inside(UInt8(ascii: "a"), contents) { () throws(DBusReadError) in
            var dictionary = DBusDictionary(keyType: key, valueType: value)
            while let (letter, contents) = try next() {
                let members = try inside(letter, contents) { () throws(DBusReadError) in try rest() }
                guard members.count == 2 else { throw DBusReadError(code: EBADMSG) }
                dictionary.entries.append(.init(key: members[0], value: members[1]))
            }
            return .dictionary(dictionary)
        }
    }

    private func rest() throws(DBusReadError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let (letter, contents) = try next() { values.append(try value(letter, contents)) }
        return values
    }

    private func bytes() throws(DBusReadError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var size = 0
        try check(sdbus.message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &size))
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: size)) } ?? []
    }

    private func inside<Result>(
        _ letter: UInt8,
        _ contents: String,
        _ read: () throws(DBusReadError) -> Result
    ) throws(DBusReadError) -> Result {
        try check(sdbus.message_enter_container(message, CChar(bitPattern: letter), contents))
        let result = try read()
        try check(sdbus.message_exit_container(message))
        return result
    }

    private func basic<Number: BitwiseCopyable>(_ letter: UInt8, _ empty: Number) throws(DBusReadError) -> Number {
        var number = empty
        try check(sdbus.message_read_basic(message, CChar(bitPattern: letter), &number))
        return number
    }

    private func string(_ letter: UInt8) throws(DBusReadError) -> String {
        var start: UnsafePointer<CChar>?
        try check(sdbus.message_read_basic(message, CChar(bitPattern: letter), &start))
        return text(start) ?? ""
    }

    @discardableResult
    private func check(_ result: CInt) throws(DBusReadError) -> CInt {
        guard result >= 0 else { throw DBusReadError(code: -result) }
        return result
    }

    private func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }
}

/// A message whose contents do not hold together.
struct DBusReadError: Error {
    let code: CInt
}
