/// `size`, and CEL's functions named after types. Text is read byte by byte, and paid for where its length has no bound.
enum Conversion {
    typealias Result = CallResult

    /// The cost of writing a number, a time or an address.
    static let writingCost = 100

    /// A double strictly between these converts to an int. The bounds themselves are 2^63, which a smaller number may
    /// have been rounded to.
    private static let intBounds = (lower: -0x1p63, upper: 0x1p63)

    static func size(_ arguments: Function.Arguments, _ state: inout Evaluation) -> Result {
        switch arguments[0] {
        case .string(let text):
            guard state.allowance.payForText(text.count) else { return .failure(.tooCostly) }
            return .success(.int(ByteText.codePoints(text)))
        case .bytes(let bytes): return .success(.int(Int64(bytes.count)))
        case .list(let elements): return .success(.int(Int64(elements.count)))
        case .map(let entries): return .success(.int(Int64(entries.count / 2)))
        default: return .failure(.noOverload)
        }
    }

    static func int(_ operand: Value, _ allowance: inout Allowance) -> Result {
        switch operand {
        case .int: return .success(operand)
        case .uint(let value): return wrap(Int64(exactly: value), Value.int, .outOfRange)
        case .double(let value):
            guard value > intBounds.lower, value < intBounds.upper else { return .failure(.outOfRange) }
            return .success(.int(Int64(value)))
        case .string(let text): return wrap(number(text, &allowance).flatMap { Int64($0) }, Value.int, .notConvertible)
        case .timestamp(let time): return .success(.int(time.seconds))
        case .duration(let nanoseconds): return .success(.int(nanoseconds / 1_000_000_000))
        default: return .failure(.noOverload)
        }
    }

    static func uint(_ operand: Value, _ allowance: inout Allowance) -> Result {
        switch operand {
        case .uint: return .success(operand)
        case .int(let value): return wrap(UInt64(exactly: value), Value.uint, .outOfRange)
        case .double(let value):
            guard value >= 0, value < 0x1p64 else { return .failure(.outOfRange) }
            return .success(.uint(UInt64(value)))
        case .string(let text):
            let digits = number(text, &allowance).flatMap { $0.first == "-" ? nil : UInt64($0) }
            return wrap(digits, Value.uint, .notConvertible)
        default: return .failure(.noOverload)
        }
    }

    static func double(_ operand: Value, _ allowance: inout Allowance) -> Result {
        switch operand {
        case .double: .success(operand)
        case .int(let value): .success(.double(Double(value)))
        case .uint(let value): .success(.double(Double(value)))
        case .string(let text): wrap(number(text, &allowance).flatMap(floatingPoint), Value.double, .notConvertible)
        default: .failure(.noOverload)
        }
    }

    static func bool(_ operand: Value) -> Result {
        switch operand {
        case .bool: return .success(operand)
        case .string(let text):
            switch String(decoding: text.prefix(8), as: UTF8.self) {
            case "1", "t", "T", "true", "TRUE", "True": return .success(.bool(true))
            case "0", "f", "F", "false", "FALSE", "False": return .success(.bool(false))
            default: return .failure(.notConvertible)
            }
        default: return .failure(.noOverload)
        }
    }

    static func bytes(_ operand: Value) -> Result {
        switch operand {
        case .bytes: .success(operand)
        case .string(let text): .success(.bytes(text))
        default: .failure(.noOverload)
        }
    }

    static func timestamp(_ operand: Value, _ allowance: inout Allowance) -> Result {
        switch operand {
        case .timestamp: return .success(operand)
        case .int(let seconds): return wrap(Timestamp(seconds: seconds), Value.timestamp, .outOfRange)
        case .string(let text):
            // A fraction may have any number of digits.
            guard allowance.pay(text.count) else { return .failure(.tooCostly) }
            return wrap(Timestamp(parsing: text), Value.timestamp, .notConvertible)
        default: return .failure(.noOverload)
        }
    }

    static func duration(_ operand: Value, _ allowance: inout Allowance) -> Result {
        switch operand {
        case .duration: return .success(operand)
        case .string(let text):
            // Every other byte may be a unit, and each is looked up.
            guard allowance.pay(5 * text.count) else { return .failure(.tooCostly) }
            return wrap(DurationText.parse(text), Value.duration, .notConvertible)
        default: return .failure(.noOverload)
        }
    }

    static func string(_ operand: Value, _ arena: inout Arena, _ allowance: inout Allowance) -> Result {
        let text: String
        switch operand {
        case .string: return .success(operand)
        case .bytes(let bytes):
            guard allowance.pay(bytes.count) else { return .failure(.tooCostly) }
            return ByteText.isValidUTF8(bytes) ? .success(.string(bytes)) : .failure(.invalidUTF8)
        case _ where !allowance.pay(writingCost): return .failure(.tooCostly)
        case .bool(let value): text = value ? "true" : "false"
        case .int(let value): text = String(value)
        case .uint(let value): text = String(value)
        case .double(let value): text = DoubleText.format(value)
        case .timestamp(let time): text = time.text
        case .duration(let nanoseconds): text = DurationText.format(nanoseconds)
        case .ip(let address): text = NetworkText.format(address: address)
        case .cidr(let network): text = NetworkText.format(network: network)
        default: return .failure(.noOverload)
        }
        return .success(.string(arena.text(text.utf8)))
    }

    private static func wrap<Payload>(_ payload: Payload?, _ make: (Payload) -> Value, _ code: Fault.Code) -> Result {
        payload.map { .success(make($0)) } ?? .failure(code)
    }

    /// The text, when it could be a number at all: no number is as long as a message may be.
    private static func number(_ text: UnsafeRawBufferPointer, _ allowance: inout Allowance) -> String? {
        text.count <= 400 && allowance.pay(text.count) ? String(validating: text, as: UTF8.self) : nil
    }

    /// Decimal notation and the names of the values that have no digits; not the hexadecimal notation that Swift
    /// reads too.
    private static func floatingPoint(_ text: String) -> Double? {
        switch text.lowercased() {
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        case "nan": return .nan
        default:
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }
}
