import Records
import SystemPackage

extension DBusContent: VerboseContent {
    package var verboseText: [UInt8] {
        var text = DBusVerbose()
        text.append(header: message, senderNames)
        text.append(body: message)
        return text.output.withBytes { Array($0) }
    }
}

/// A message as `busctl monitor` prints it. The byte order is left out, because libsystemd does not report it.
private struct DBusVerbose: ~Copyable {
    var output = OutputBuffer(capacity: 512)
    private var depth = 1

    // MARK: Header

    mutating func append(header message: DBusMessage, _ senderNames: [String]) {
        let flags =
            (message.expectsReply ? 0 : 1) | (message.startsService ? 0 : 2) | (message.allowsInteraction ? 4 : 0)
        output.append(text: "\u{2023} Type=\(message.kind.word)  Flags=\(flags)  Version=1 Cookie=\(message.cookie)")
        if let cookie = message.replyCookie { output.append(text: "  ReplyCookie=\(cookie)") }
        output.append(text: "  Timestamp=\"\(Self.time(message.realtime.microseconds))\"\n")
        append(
            line: [
                ("Sender", message.sender), ("Destination", message.destination), ("Path", message.path),
                ("Interface", message.interface), ("Member", message.member),
            ]
        )
        if let name = message.errorName {
            append(line: [("ErrorName", name), ("ErrorMessage", message.text.map { "\"\($0)\"" })])
        }
        let names = senderNames.isEmpty ? nil : senderNames.joined(separator: " ")
        let unique = message.sender.flatMap { $0.hasPrefix(":") ? $0 : nil }
        append(line: [("UniqueName", unique), ("WellKnownNames", names)])
    }

    private mutating func append(line pairs: [(name: String, value: String?)]) {
        let known = pairs.compactMap { pair in pair.value.map { "  \(pair.name)=\($0)" } }
        if !known.isEmpty { output.append(text: known.joined() + "\n") }
    }

    /// `Wed 2026-11-25 03:15:44.123456 UTC`
    private static func time(_ microseconds: Int64) -> String {
        let days = microseconds.flooredQuotient(dividingBy: 86_400_000_000)
        // The first of January 1970 was a Thursday.
        let day = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((days % 7 + 7) % 7)]
        return "\(day) \(RecordTime.text(microseconds).dropLast().replacing("T", with: " ")) UTC"
    }

    // MARK: Body

    mutating func append(body message: DBusMessage) {
        output.append(text: "  MESSAGE \"\(message.signature)\" {\n")
        for value in message.arguments { append(value) }
        output.append("  };\n")
    }

    private mutating func append(_ value: DBusValue) {
        switch value {
        case .byte(let number): append("BYTE", "\(number)")
        case .boolean(let bool): append("BOOLEAN", "\(bool)")
        case .int16(let number): append("INT16", "\(number)")
        case .uint16(let number): append("UINT16", "\(number)")
        case .int32(let number): append("INT32", "\(number)")
        case .uint32(let number): append("UINT32", "\(number)")
        case .int64(let number): append("INT64", "\(number)")
        case .uint64(let number): append("UINT64", "\(number)")
        case .double(let number): append("DOUBLE", DBusShortNumber.text(number))
        case .string(let text): append("STRING", "\"\(text)\"")
        case .objectPath(let text): append("OBJECT_PATH", "\"\(text)\"")
        case .signature(let text): append("SIGNATURE", "\"\(text)\"")
        case .descriptor(let descriptor): append("UNIX_FD", "\(descriptor.fileDescriptor.rawValue)")
        case .bytes(let bytes):
            open("ARRAY", "y")
            for byte in bytes { append("BYTE", "\(byte)") }
            close()
        case .array(let elements, let type): append("ARRAY", type.code, elements)
        case .structure(let members): append("STRUCT", members.map(\.type).signature, members)
        case .variant(let inner): append("VARIANT", inner.type.code, [inner])
        case .dictionary(let dictionary):
            let contents = dictionary.keyType.code + dictionary.valueType.code
            open("ARRAY", "{\(contents)}")
            for entry in dictionary.entries { append("DICT_ENTRY", contents, [entry.key, entry.value]) }
            close()
        }
    }

    private mutating func append(_ kind: String, _ contents: String, _ values: [DBusValue]) {
        open(kind, contents)
        for value in values { append(value) }
        close()
    }

    private mutating func open(_ kind: String, _ contents: String) {
        indent()
        output.append(text: "\(kind) \"\(contents)\" {\n")
        depth += 1
    }

    private mutating func close() {
        depth -= 1
        indent()
        output.append("};\n")
    }

    private mutating func append(_ kind: String, _ value: String) {
        indent()
        output.append(text: "\(kind) \(value);\n")
    }

    private mutating func indent() { output.append(spaces: 2 + depth * 8) }
}

extension Int64 {
    fileprivate func flooredQuotient(dividingBy divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
