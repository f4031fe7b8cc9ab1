/// An error during an evaluation: a few bytes, turned into text only when it is read.
struct Fault {
    enum Code: UInt8, Error {
        case noOverload
        case overflow
        case divisionByZero
        case outOfRange
        case indexOutOfRange
        case notConvertible
        case invalidUTF8
        case invalidPattern
        case unknownName
        case unknownFunction
        case noMembers
        case notBoolean
        case tooLarge
        case tooCostly
        case runTooCostly
        case noSuchKey
        case repeatedKey
        case unsupportedKey
        case emptyOptional
        case notOptional
        case positionOutOfRange
        case invalidSpan
        case emptyList
        case negativeShift
        case unknownZone
        case noAddress
        case invalidFormat
        case missingArgument
        case invalidJSON
    }

    var code: Code
    /// The operands' types, for the message.
    var left: ValueKind
    var right: ValueKind
    /// The instruction that failed, which knows its place in the source.
    var instruction: Int32
}

/// A function's result.
enum CallResult {
    case success(Value)
    case failure(Fault.Code)
}
