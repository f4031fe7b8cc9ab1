/// One form of a function: the types it takes, a receiver first, and the type of its result.
struct Signature: Sendable {
    let parameters: [StaticType]
    let result: StaticType
    /// Whether it is written `x.f(y)`, and not `f(x, y)`.
    let isMember: Bool
    /// Whether the last parameter may be given any number of times, at least once.
    var isVariadic = false

    func takes(_ count: Int) -> Bool {
        isVariadic ? count >= parameters.count : count == parameters.count
    }

    func parameter(at index: Int) -> StaticType {
        parameters[min(index, parameters.count - 1)]
    }
}

extension Function {
    var signatures: [Signature] { Self.table[self] ?? [] }

    private static let table: [Function: [Signature]] = {
        var table: [Function: [Signature]] = [:]
        func global(_ function: Function, _ parameters: StaticType..., to result: StaticType) {
            table[function, default: []].append(Signature(parameters: parameters, result: result, isMember: false))
        }
        func member(_ function: Function, _ parameters: StaticType..., to result: StaticType) {
            table[function, default: []].append(Signature(parameters: parameters, result: result, isMember: true))
        }
        let anyList = StaticType.list(.dynamic)
        let anyMap = StaticType.map(.dynamic, .dynamic)

        // Core
        for sized in [StaticType.string, .bytes, anyList, anyMap] {
            global(.size, sized, to: .int)
            member(.size, sized, to: .int)
        }
        for search in [Function.startsWith, .endsWith, .contains, .matches] {
            member(search, .string, .string, to: .bool)
        }
        global(.matches, .string, .string, to: .bool)
        func conversion(_ function: Function, to result: StaticType, from sources: StaticType...) {
            for source in sources { global(function, source, to: result) }
        }
        conversion(.bool, to: .bool, from: .bool, .string)
        conversion(.bytes, to: .bytes, from: .bytes, .string)
        conversion(.double, to: .double, from: .double, .int, .uint, .string)
        conversion(.duration, to: .duration, from: .duration, .string)
        conversion(.int, to: .int, from: .int, .uint, .double, .string, .timestamp, .duration)
        conversion(
            .string,
            to: .string,
            from: .string,
            .bytes,
            .bool,
            .int,
            .uint,
            .double,
            .timestamp,
            .duration,
            .ip,
            .cidr
        )
        conversion(.timestamp, to: .timestamp, from: .timestamp, .string, .int)
        conversion(.uint, to: .uint, from: .uint, .int, .double, .string)
        global(.dyn, .dynamic, to: .dynamic)
        global(.type, .dynamic, to: .type)

        // Times
        let calendar: [Function] = [
            .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getHours, .getMilliseconds,
            .getMinutes, .getMonth, .getSeconds,
        ]
        for part in calendar {
            member(part, .timestamp, to: .int)
            member(part, .timestamp, .string, to: .int)
        }
        for part in [Function.getHours, .getMinutes, .getSeconds, .getMilliseconds] {
            member(part, .duration, to: .int)
        }

        // Text
        member(.charAt, .string, .int, to: .string)
        member(.format, .string, anyList, to: .string)
        for search in [Function.indexOf, .lastIndexOf] {
            member(search, .string, .string, to: .int)
            member(search, .string, .string, .int, to: .int)
        }
        member(.join, .list(.string), to: .string)
        member(.join, .list(.string), .string, to: .string)
        for change in [Function.lowerAscii, .reverse, .trim, .upperAscii] { member(change, .string, to: .string) }
        member(.replace, .string, .string, .string, to: .string)
        member(.replace, .string, .string, .string, .int, to: .string)
        member(.split, .string, .string, to: .list(.string))
        member(.split, .string, .string, .int, to: .list(.string))
        member(.substring, .string, .int, to: .string)
        member(.substring, .string, .int, .int, to: .string)
        global(.quote, .string, to: .string)
        global(.base64Decode, .string, to: .bytes)
        global(.base64Encode, .bytes, to: .string)

        // Numbers
        // The arguments of these are checked by hand: numbers of any types, or one list of them.
        for extreme in [Function.greatest, .least] {
            table[extreme] = [
                Signature(parameters: [.dynamic], result: .dynamic, isMember: false, isVariadic: true)
            ]
        }
        for rounding in [Function.ceil, .floor, .round, .trunc] { global(rounding, .double, to: .double) }
        for test in [Function.isNaN, .isInf, .isFinite] { global(test, .double, to: .bool) }
        for number in [StaticType.int, .uint, .double] {
            global(.abs, number, to: number)
            global(.sign, number, to: number)
            global(.sqrt, number, to: .double)
        }
        for number in [StaticType.int, .uint] {
            for operation in [Function.bitAnd, .bitOr, .bitXor] { global(operation, number, number, to: number) }
            global(.bitNot, number, to: number)
            global(.bitShiftLeft, number, .int, to: number)
            global(.bitShiftRight, number, .int, to: number)
        }

        // Addresses
        global(.ip, .string, to: .ip)
        member(.ip, .cidr, to: .ip)
        global(.cidr, .string, to: .cidr)
        global(.isIP, .string, to: .bool)
        global(.isCIDR, .string, to: .bool)
        global(.isCanonical, .string, to: .bool)
        member(.family, .ip, to: .int)
        let tests: [Function] = [
            .isUnspecified, .isLoopback, .isGlobalUnicast, .isLinkLocalMulticast, .isLinkLocalUnicast,
        ]
        for test in tests { member(test, .ip, to: .bool) }
        member(.containsIP, .cidr, .ip, to: .bool)
        member(.containsIP, .cidr, .string, to: .bool)
        member(.containsCIDR, .cidr, .cidr, to: .bool)
        member(.containsCIDR, .cidr, .string, to: .bool)
        member(.masked, .cidr, to: .cidr)
        member(.prefixLength, .cidr, to: .int)

        // Optionals
        global(.optionalOf, .placeholder, to: .optional(.placeholder))
        global(.optionalOfNonZero, .placeholder, to: .optional(.placeholder))
        global(.optionalNone, to: .optional(.dynamic))
        global(.unwrap, .list(.optional(.placeholder)), to: .list(.placeholder))
        member(.unwrapOpt, .list(.optional(.placeholder)), to: .list(.placeholder))
        member(.hasValue, .optional(.dynamic), to: .bool)
        member(.value, .optional(.placeholder), to: .placeholder)
        member(.or, .optional(.placeholder), .optional(.placeholder), to: .optional(.placeholder))
        member(.orValue, .optional(.placeholder), .placeholder, to: .placeholder)
        member(.first, .list(.placeholder), to: .optional(.placeholder))
        member(.last, .list(.placeholder), to: .optional(.placeholder))
        return table
    }()
}
