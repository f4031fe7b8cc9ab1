/// The functions of the language, by their CEL names. `signatures` has the meaning of a name for a given number and
/// types of values.
enum Function: String, CaseIterable, Sendable {
    // Core
    case size, startsWith, endsWith, contains, matches
    case bool, bytes, double, duration, dyn, int, string, timestamp, type, uint
    case getDate, getDayOfMonth, getDayOfWeek, getDayOfYear, getFullYear, getHours, getMilliseconds, getMinutes
    case getMonth, getSeconds

    // Text
    case charAt, format, indexOf, join, lastIndexOf, lowerAscii, replace, reverse, split, substring, trim, upperAscii
    case quote = "strings.quote"

    // Encoders
    case base64Decode = "base64.decode"
    case base64Encode = "base64.encode"

    // Numbers
    case greatest = "math.greatest"
    case least = "math.least"
    case ceil = "math.ceil"
    case floor = "math.floor"
    case round = "math.round"
    case trunc = "math.trunc"
    case abs = "math.abs"
    case sign = "math.sign"
    case sqrt = "math.sqrt"
    case isNaN = "math.isNaN"
    case isInf = "math.isInf"
    case isFinite = "math.isFinite"
    case bitAnd = "math.bitAnd"
    case bitOr = "math.bitOr"
    case bitXor = "math.bitXor"
    case bitNot = "math.bitNot"
    case bitShiftLeft = "math.bitShiftLeft"
    case bitShiftRight = "math.bitShiftRight"

    // Addresses
    case ip, cidr, isIP, isCIDR
    case isCanonical = "ip.isCanonical"
    case family, isUnspecified, isLoopback, isGlobalUnicast, isLinkLocalMulticast, isLinkLocalUnicast
    case containsIP, containsCIDR, masked, prefixLength

    // Optionals
    case optionalOf = "optional.of"
    case optionalOfNonZero = "optional.ofNonZeroValue"
    case optionalNone = "optional.none"
    case unwrap = "optional.unwrap"
    case unwrapOpt, hasValue, value, or, orValue, first, last

    /// The name without its namespace.
    var shortName: Substring {
        rawValue.firstIndex(of: ".").map { rawValue[rawValue.index(after: $0)...] } ?? rawValue[...]
    }

    /// `math` of `math.abs`; empty for most.
    var namespace: Substring {
        rawValue.firstIndex(of: ".").map { rawValue[..<$0] } ?? ""
    }

    static let namespaces: Set<String> = Set(allCases.map { String($0.namespace) }).subtracting([""])

    /// Whether any of its forms is written `f(x)`.
    var isGlobal: Bool { signatures.contains { !$0.isMember } }

    /// Whether any of its forms is written `x.f()`.
    var isMember: Bool { signatures.contains(where: \.isMember) }
}
