/// One node of a program. Operands are other instructions, by index, so that a program is one array without pointers
/// into itself.
struct Instruction {
    enum Operation: UInt8 {
        /// a: constant
        case constant
        /// a: field
        case field
        /// a: field
        case presence
        /// a: operand
        case not
        /// a: operand
        case negate
        /// a: first of b operands in the operand list
        case and
        /// a: first of b operands in the operand list
        case or
        /// a: first of three operands in the operand list
        case conditional
        /// a, b: operands
        case equal
        case notEqual
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual
        case add
        case subtract
        case multiply
        case divide
        case remainder
        case isIn
        case index
        case startsWith
        case endsWith
        case contains
        /// a: operand, b: regular expression. The second finds no match in null, where the first fails.
        case matches
        case matchesUnlessNull
        /// a: operand, b: operand that gives the pattern
        case matchesDynamic
        case matchesDynamicUnlessNull
        /// a: first of b operands in the operand list
        case list
        /// a: operand
        case size
        case toBool
        case toBytes
        case toDouble
        case toDuration
        case toInt
        case toString
        case toTimestamp
        case toUInt
        case typeOf
        /// a: the fault's code
        case failure
    }

    var operation: Operation
    var a: Int32 = 0
    var b: Int32 = 0
}
