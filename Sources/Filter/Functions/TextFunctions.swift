/// The text extension. Positions count code points, from 0.
enum TextFunctions {
    static func charAt(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .int(let position) = arguments[1] else {
            return .failure(.noOverload)
        }
        guard let offset = text.offset(of: Int(position)) else { return .failure(.positionOutOfRange) }
        return .success(.string(text.slice(offset..<(offset == text.bytes.count ? offset : text.end(at: offset)))))
    }

    static func substring(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .int(let start) = arguments[1] else {
            return .failure(.noOverload)
        }
        var end: Int64?
        if arguments.count > 2 {
            guard case .int(let value) = arguments[2] else { return .failure(.noOverload) }
            end = value
        }
        guard let lower = text.offset(of: Int(start)) else { return .failure(.positionOutOfRange) }
        guard let end else { return .success(.string(text.slice(lower..<text.bytes.count))) }
        guard let upper = text.offset(of: Int(end)) else { return .failure(.positionOutOfRange) }
        return lower <= upper ? .success(.string(text.slice(lower..<upper))) : .failure(.invalidSpan)
    }

    static func trim(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]) else { return .failure(.noOverload) }
        return .success(.string(trimmed(text)))
    }

    static func lowerAscii(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        changed(arguments[0], &state) { text in text.bytes.map { $0.isUpperASCII ? $0 | 0x20 : $0 } }
    }

    static func upperAscii(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        changed(arguments[0], &state) { text in text.bytes.map { $0.isLowerASCII ? $0 & 0xDF : $0 } }
    }

    static func reverse(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        changed(arguments[0], &state, reversed)
    }

    static func quote(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        changed(arguments[0], atMost: { $0 * 3 + 2 }, &state) { quoted($0.bytes) }
    }

    /// - Parameter length: how many bytes the result of so many bytes may have.
    @inline(__always)
    private static func changed(
        _ operand: Value,
        atMost length: (Int) -> Int = { $0 },
        _ state: inout Evaluation,
        _ change: (CodePoints) -> [UInt8]
    ) -> CallResult {
        guard let text = CodePoints(operand) else { return .failure(.noOverload) }
        guard state.arena.mayHold(length(text.bytes.count)) else { return .failure(.tooLarge) }
        return .success(.string(state.arena.text(change(text))))
    }

    private static func trimmed(_ text: CodePoints) -> UnsafeRawBufferPointer {
        var lower = 0
        var upper = text.bytes.count
        while lower < upper {
            let end = text.end(at: lower)
            guard isBlank(text.slice(lower..<end)) else { break }
            lower = end
        }
        while lower < upper {
            let start = text.start(before: upper)
            guard isBlank(text.slice(start..<upper)) else { break }
            upper = start
        }
        return text.slice(lower..<upper)
    }

    /// Unicode's White_Space.
    private static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.count == 1 { return bytes[0] == 0x20 || (0x09...0x0D).contains(bytes[0]) }
        guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return false }
        return scalar.properties.isWhitespace
    }

    private static func reversed(_ text: CodePoints) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.bytes.count)
        var end = text.bytes.count
        while end > 0 {
            let start = text.start(before: end)
            result += text.slice(start..<end)
            end = start
        }
        return result
    }

    /// Between quotes, with the escapes that CEL has a letter for; other control characters stay. Bytes that are not UTF-8
    /// become U+FFFD.
    private static func quoted(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        for byte in String(decoding: bytes, as: UTF8.self).utf8 {
            switch byte {
            case 0x07...0x0D: result += [UInt8(ascii: "\\"), Array("abtnvfr".utf8)[Int(byte - 0x07)]]
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): result += [UInt8(ascii: "\\"), byte]
            default: result.append(byte)
            }
        }
        return result + [UInt8(ascii: "\"")]
    }
}

extension UInt8 {
    var isUpperASCII: Bool { (0x41...0x5A).contains(self) }
    var isLowerASCII: Bool { (0x61...0x7A).contains(self) }
}
