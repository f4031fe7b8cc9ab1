import JSONScan

/// The functions of the language. A row is all that the rest of the module knows of a function; `Language.md` tells
/// users of it.
extension Function {
    static let table: [Function] = core + times + text + numbers + bits + addresses + optionals

    private static let anyList = StaticType.list(.dynamic)
    private static let anyMap = StaticType.map(.dynamic, .dynamic)
    private static let someText = #""text""#

    private static let core: [Function] = [
        Function(
            "size",
            .globals(.string, .bytes, anyList, anyMap, to: .int),
            .members(.string, .bytes, anyList, anyMap, to: .int),
            call: Conversion.size
        ),
        Function("startsWith", .member(.string, .string, to: .bool), example: someText, instruction: .startsWith),
        Function("endsWith", .member(.string, .string, to: .bool), example: someText, instruction: .endsWith),
        Function("contains", .member(.string, .string, to: .bool), example: someText, instruction: .contains),
        Function(
            "matches",
            .member(.string, .string, to: .bool),
            .global(.string, .string, to: .bool),
            rule: .pattern,
            example: #""regular expression""#,
            instruction: .matchesDynamic
        ),
        Function("bool", .globals(.bool, .string, to: .bool)) { arguments, _ in Conversion.bool(arguments[0]) },
        Function("bytes", .globals(.bytes, .string, to: .bytes)) { arguments, _ in Conversion.bytes(arguments[0]) },
        Function("double", .globals(.double, .int, .uint, .string, to: .double)) { arguments, state in
            Conversion.double(arguments[0], &state.allowance)
        },
        Function("duration", .globals(.duration, .string, to: .duration), rule: .duration, example: #""1h30m""#) {
            arguments,
            state in Conversion.duration(arguments[0], &state.allowance)
        },
        Function("dyn", .global(.dynamic, to: .dynamic), rule: .dynamic) { arguments, _ in .success(arguments[0]) },
        Function("int", .globals(.int, .uint, .double, .string, .timestamp, .duration, to: .int)) { arguments, state in
            Conversion.int(arguments[0], &state.allowance)
        },
        Function(
            "string",
            .globals(
                .string,
                .bytes,
                .bool,
                .int,
                .uint,
                .double,
                .timestamp,
                .duration,
                .ip,
                .cidr,
                to: .string
            )
        ) { arguments, state in Conversion.string(arguments[0], &state.arena, &state.allowance) },
        Function(
            "timestamp",
            .globals(.timestamp, .string, .int, to: .timestamp),
            rule: .time,
            example: #""2024-01-31T12:00:00Z""#
        ) { arguments, state in Conversion.timestamp(arguments[0], &state.allowance) },
        Function("type", .global(.dynamic, to: .type)) { arguments, _ in .success(.type(arguments[0].kind)) },
        Function("uint", .globals(.uint, .int, .double, .string, to: .uint)) { arguments, state in
            Conversion.uint(arguments[0], &state.allowance)
        },
    ]

    private static let ofTime: [Signature] = .member(.timestamp, to: .int) + .member(.timestamp, .string, to: .int)
    private static let ofDuration: [Signature] = .member(.duration, to: .int)

    private static let times: [Function] = [
        Function("getDate", ofTime, rule: .zone) { CalendarFunctions.part(.dayFrom1, $0, &$1) },
        Function("getDayOfMonth", ofTime, rule: .zone) { CalendarFunctions.part(.dayFrom0, $0, &$1) },
        Function("getDayOfWeek", ofTime, rule: .zone) { CalendarFunctions.part(.dayOfWeek, $0, &$1) },
        Function("getDayOfYear", ofTime, rule: .zone) { CalendarFunctions.part(.dayOfYear, $0, &$1) },
        Function("getFullYear", ofTime, rule: .zone) { CalendarFunctions.part(.year, $0, &$1) },
        Function("getHours", ofTime, ofDuration, rule: .zone) { CalendarFunctions.part(.hours, $0, &$1) },
        Function("getMilliseconds", ofTime, ofDuration, rule: .zone) { CalendarFunctions.part(.milliseconds, $0, &$1) },
        Function("getMinutes", ofTime, ofDuration, rule: .zone) { CalendarFunctions.part(.minutes, $0, &$1) },
        Function("getMonth", ofTime, rule: .zone) { CalendarFunctions.part(.month, $0, &$1) },
        Function("getSeconds", ofTime, ofDuration, rule: .zone) { CalendarFunctions.part(.seconds, $0, &$1) },
    ]

    private static let change: [Signature] = .member(.string, to: .string)
    private static let search: [Signature] =
        .member(.string, .string, to: .int) + .member(.string, .string, .int, to: .int)

    /// Positions are counted from the beginning, code point by code point: hence the price.
    private static let text: [Function] = [
        Function(
            "charAt",
            .member(.string, .int, to: .string),
            price: .text,
            example: "2",
            call: TextFunctions.charAt
        ),
        Function(
            "format",
            .member(.string, anyList, to: .string),
            price: .text,
            rule: .format,
            example: "[x]",
            call: FormatText.format
        ),
        Function("indexOf", search, price: .text, example: someText, call: TextSearch.first),
        Function(
            "join",
            .member(.list(.string), to: .string),
            .member(.list(.string), .string, to: .string),
            call: TextJoining.join
        ),
        Function("lastIndexOf", search, price: .text, example: someText, call: TextSearch.last),
        Function("lowerAscii", change, price: .text, call: TextFunctions.lowerAscii),
        Function(
            "replace",
            .member(.string, .string, .string, to: .string),
            .member(.string, .string, .string, .int, to: .string),
            price: .text,
            example: #""old", "new""#,
            call: TextJoining.replace
        ),
        Function("reverse", change, price: .text, call: TextFunctions.reverse),
        Function(
            "split",
            .member(.string, .string, to: .list(.string)),
            .member(.string, .string, .int, to: .list(.string)),
            price: .text,
            example: #"",""#,
            call: TextJoining.split
        ),
        Function(
            "substring",
            .member(.string, .int, to: .string),
            .member(.string, .int, .int, to: .string),
            price: .text,
            example: "2",
            call: TextFunctions.substring
        ),
        Function("trim", change, price: .text, call: TextFunctions.trim),
        Function("upperAscii", change, price: .text, call: TextFunctions.upperAscii),
        Function("strings.quote", .global(.string, to: .string), price: .text, call: TextFunctions.quote),
        Function("base64.decode", .global(.string, to: .bytes), price: .text, call: Base64.decode),
        Function("base64.encode", .global(.bytes, to: .string), call: Base64.encode),
    ]

    private static let ofDouble: [Signature] = .global(.double, to: .double)
    private static let test: [Signature] = .global(.double, to: .bool)
    private static let ofNumber: [Signature] =
        .global(.int, to: .int) + .global(.uint, to: .uint) + .global(.double, to: .double)

    private static let numbers: [Function] = [
        Function("math.greatest", .variadic, rule: .numbers, example: "x, y", call: MathFunctions.greatest),
        Function("math.least", .variadic, rule: .numbers, example: "x, y", call: MathFunctions.least),
        Function("math.ceil", ofDouble) { arguments, _ in
            MathFunctions.ofDouble(arguments) { .double($0.rounded(.up)) }
        },
        Function("math.floor", ofDouble) { arguments, _ in
            MathFunctions.ofDouble(arguments) { .double($0.rounded(.down)) }
        },
        Function("math.round", ofDouble) { arguments, _ in
            MathFunctions.ofDouble(arguments) { .double($0.rounded(.toNearestOrAwayFromZero)) }
        },
        Function("math.trunc", ofDouble) { arguments, _ in
            MathFunctions.ofDouble(arguments) { .double($0.rounded(.towardZero)) }
        },
        Function("math.abs", ofNumber, call: MathFunctions.abs),
        Function("math.sign", ofNumber, call: MathFunctions.sign),
        Function("math.sqrt", .globals(.int, .uint, .double, to: .double), call: MathFunctions.sqrt),
        Function("math.isNaN", test) { arguments, _ in MathFunctions.ofDouble(arguments) { .bool($0.isNaN) } },
        Function("math.isInf", test) { arguments, _ in MathFunctions.ofDouble(arguments) { .bool($0.isInfinite) } },
        Function("math.isFinite", test) { arguments, _ in MathFunctions.ofDouble(arguments) { .bool($0.isFinite) } },
    ]

    private static let ofBits: [Signature] =
        .global(.int, .int, to: .int) + .global(.uint, .uint, to: .uint)
    private static let shift: [Signature] =
        .global(.int, .int, to: .int) + .global(.uint, .int, to: .uint)

    private static let bits: [Function] = [
        Function("math.bitAnd", ofBits, example: "x, y") { arguments, _ in BitFunctions.combined(arguments, &) },
        Function("math.bitOr", ofBits, example: "x, y") { arguments, _ in BitFunctions.combined(arguments, |) },
        Function("math.bitXor", ofBits, example: "x, y") { arguments, _ in BitFunctions.combined(arguments, ^) },
        Function("math.bitNot", .global(.int, to: .int), .global(.uint, to: .uint)) { arguments, _ in
            BitFunctions.inverted(arguments[0])
        },
        // Swift's shifts give 0 beyond the width.
        Function("math.bitShiftLeft", shift, example: "x, 2") { arguments, _ in BitFunctions.shifted(arguments, <<) },
        Function("math.bitShiftRight", shift, example: "x, 2") { arguments, _ in BitFunctions.shifted(arguments, >>) },
    ]

    private static let address = #""192.168.0.1""#
    private static let network = #""192.168.0.0/24""#
    private static let addressTest: [Signature] = .member(.ip, to: .bool)
    /// No address is longer than this pays for; other text is not looked at.
    private static let look = Price.fixed(50)

    private static let addresses: [Function] = [
        Function(
            "ip",
            .global(.string, to: .ip),
            .member(.cidr, to: .ip),
            price: look,
            rule: .address,
            example: address,
            call: NetworkFunctions.ip
        ),
        Function(
            "cidr",
            .global(.string, to: .cidr),
            price: look,
            rule: .network,
            example: network,
            call: NetworkFunctions.cidr
        ),
        Function("isIP", .global(.string, to: .bool), price: look, example: address) { arguments, _ in
            NetworkFunctions.ofText(arguments) { NetworkText.address($0) != nil }
        },
        Function("isCIDR", .global(.string, to: .bool), price: look, example: network) { arguments, _ in
            NetworkFunctions.ofText(arguments) { NetworkText.network($0) != nil }
        },
        Function(
            "ip.isCanonical",
            .global(.string, to: .bool),
            price: look,
            example: address,
            call: NetworkFunctions.isCanonical
        ),
        Function("family", .member(.ip, to: .int), price: look, call: NetworkFunctions.family),
        Function("isUnspecified", addressTest, price: look) { arguments, _ in
            NetworkFunctions.ofAddress(arguments, NetworkFunctions.isUnspecified)
        },
        Function("isLoopback", addressTest, price: look) { arguments, _ in
            NetworkFunctions.ofAddress(arguments, NetworkFunctions.isLoopback)
        },
        Function("isGlobalUnicast", addressTest, price: look) { arguments, _ in
            NetworkFunctions.ofAddress(arguments, NetworkFunctions.isGlobalUnicast)
        },
        Function("isLinkLocalMulticast", addressTest, price: look) { arguments, _ in
            NetworkFunctions.ofAddress(arguments, NetworkFunctions.isLinkLocalMulticast)
        },
        Function("isLinkLocalUnicast", addressTest, price: look) { arguments, _ in
            NetworkFunctions.ofAddress(arguments, NetworkFunctions.isLinkLocalUnicast)
        },
        Function(
            "containsIP",
            .member(.cidr, .ip, to: .bool),
            .member(.cidr, .string, to: .bool),
            price: look,
            example: address,
            call: NetworkFunctions.containsIP
        ),
        Function(
            "containsCIDR",
            .member(.cidr, .cidr, to: .bool),
            .member(.cidr, .string, to: .bool),
            price: look,
            example: network,
            call: NetworkFunctions.containsCIDR
        ),
        Function("masked", .member(.cidr, to: .cidr), price: look, call: NetworkFunctions.masked),
        Function("prefixLength", .member(.cidr, to: .int), price: look, call: NetworkFunctions.prefixLength),
    ]

    private static let someOptional = StaticType.optional(.placeholder)

    private static let optionals: [Function] = [
        Function("optional.of", .global(.placeholder, to: someOptional), call: OptionalFunctions.of),
        Function(
            "optional.ofNonZeroValue",
            .global(.placeholder, to: someOptional),
            call: OptionalFunctions.ofNonZeroValue
        ),
        Function("optional.none", .global(to: .optional(.dynamic))) { _, _ in .success(.optional(nil)) },
        Function(
            "optional.unwrap",
            .global(.list(someOptional), to: .list(.placeholder)),
            call: OptionalFunctions.unwrap
        ),
        Function("unwrapOpt", .member(.list(someOptional), to: .list(.placeholder)), call: OptionalFunctions.unwrap),
        Function("hasValue", .member(.optional(.dynamic), to: .bool), call: OptionalFunctions.hasValue),
        Function("value", .member(someOptional, to: .placeholder), call: OptionalFunctions.value),
        Function(
            "or",
            .member(someOptional, someOptional, to: someOptional),
            example: "optional.of(y)",
            call: OptionalFunctions.or
        ),
        Function(
            "orValue",
            .member(someOptional, .placeholder, to: .placeholder),
            example: "y",
            call: OptionalFunctions.orValue
        ),
        Function("first", .member(.list(.placeholder), to: someOptional)) { arguments, state in
            OptionalFunctions.element(arguments, &state) { $0.first }
        },
        Function("last", .member(.list(.placeholder), to: someOptional)) { arguments, state in
            OptionalFunctions.element(arguments, &state) { $0.last }
        },
    ]
}
