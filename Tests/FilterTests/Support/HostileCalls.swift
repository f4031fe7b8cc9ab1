@testable import Filter
import TestSupport

/// Calls of every function and operator with values that take long: each type has its extremes.
struct HostileCalls {
    var random: SeededGenerator

    /// A call of each form of each function with random values, and of each operator with two of one type.
    mutating func round() -> [String] {
        var calls: [String] = []
        for function in Function.all {
            for form in function.signatures {
                let count = form.parameters.count + (form.isVariadic ? 2 : 0)
                calls.append(call(function, (0..<count).map { form.parameter(at: $0) }, isMember: form.isMember))
            }
        }
        for infix in BinaryOperator.allCases {
            let type = random.pick(Self.types)
            let container: StaticType = infix == .isIn ? random.pick([.list(type), .map(.dynamic, .dynamic)]) : type
            calls.append("(\(value(type)) \(infix.rawValue) \(value(container)))")
        }
        // Many comparisons in one instruction. None is true.
        for (element, others) in [("ip('::1')", "ip('::ffff:a00:1')"), ("cidr('::/0')", "cidr('::ffff:a00:0/104')")] {
            calls.append("\(element) in [\(Array(repeating: others, count: 50).joined(separator: ", "))]")
        }
        calls.append("\(value(.list(.dynamic)))[\(value(.int))]")
        calls.append("\(value(.map(.dynamic, .dynamic)))[\(value(.string))]")
        calls.append("\(value(.map(.dynamic, .dynamic))).?a")
        return calls
    }

    private mutating func call(_ function: Function, _ types: [StaticType], isMember: Bool) -> String {
        var values = types.map { value($0) }
        if function.name == "format" {
            // Any other text and list would seldom fit each other.
            let clause = "%\(random.pick(["s", "d", ".1100f", ".1100e", ".20f", "f", "e", "x", "X", "b", "o"]))"
            let number = random.pick([.double, .int, .string, .bytes, .dynamic] as [StaticType])
            values = ["'\(clause)\(clause)'", "[\(value(number)), \(value(.double))]"]
        }
        guard isMember else { return "\(function.name)(\(values.joined(separator: ", ")))" }
        return "(\(values[0])).\(function.name)(\(values.dropFirst().joined(separator: ", ")))"
    }

    private static let types: [StaticType] = [
        .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .list(.dynamic), .map(.dynamic, .dynamic),
        .optional(.dynamic), .ip, .cidr, .type,
    ]

    private mutating func value(_ type: StaticType) -> String {
        switch type {
        case .dynamic, .placeholder: return value(random.pick(Self.types))
        case .null: return "null"
        case .bool: return random.pick(["true", "false"])
        case .int: return random.pick(["0", "1", "-1", "100", "9223372036854775807", "pid", "-9223372036854775808"])
        case .uint: return random.pick(["0u", "18446744073709551615u"])
        case .double: return random.pick(["0.0", "1.5", "-0.1", "5e-324", "1.7e308", "load", "123456789.123", "1e22"])
        case .string:
            return random.pick([
                "''", "','", "'a'", "'é'", "message", "identifier", "HHHHHHHH", "CCC", "GGGGGGG", "A", "DDDD", "unit",
                "'2024-02-29T12:30:00.123456789Z'", "'9999-12-31T23:59:59+23:59'", "'1h2m3s4ms5us6ns'", "'1.7e308'",
                "'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'", "'10.0.0.0/8'", "'2001:db8::/128'", "'1.5'",
                "'Europe/Berlin'", "'-02:30'", "'0.\(String(repeating: "1", count: 390))'", "'YWFh'",
            ])
        case .bytes: return random.pick(["b''", "b'a'", "FFFFFF", "bytes(message)", "bytes(HHHHHHHH)"])
        case .timestamp: return random.pick(["time", "timestamp(0)", "timestamp('0001-01-01T00:00:00Z')", "now"])
        case .duration: return random.pick(["duration('0s')", "duration('-2562047h')", "duration('1h2m3.000000004s')"])
        case .list(.dynamic):
            return random.pick([
                "[]", "[1, 2, 3]", "[1.5, load, 5e-324]", "[message, identifier]", "CCC.split(',')", "[[1], [2]]",
                "[optional.of(1), optional.none()]", "fields('message')", "[true]", "message.split('')",
            ])
        case .list(let element): return "[\(value(element)), \(value(element)), \(value(element))]"
        case .map:
            return random.pick([
                "{}", "{1: 2}", "EEEEE", "{message: 1, identifier: 2}", "{'a': message}", "{1: 1, 2u: 2, true: 3}",
            ])
        case .optional: return random.pick(["optional.none()", "optional.of(message)", "optional.of(1)"])
        case .ip: return random.pick(["ip('::1')", "ip('10.1.2.3')", "ip('1:2:3:4:5:6:7:8')", "ip('::ffff:a00:1')"])
        case .cidr: return random.pick(["cidr('::/0')", "cidr('10.0.0.0/8')", "cidr('::ffff:a00:0/104')"])
        case .type: return random.pick(["type(1)", "string", "type(message)"])
        }
    }
}
