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
        /// a: field
        case every
        /// a: field, b: operand, which is a list in the second
        case anyEqual
        case anyIn
        /// a: slot
        case local
        case now
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
        case startsWith
        case endsWith
        case contains
        /// a: operand, b: operand that gives the key
        case index
        case indexOptional
        /// a: operand, b: constant that is the member's name
        case select
        case selectOptional
        case selectPresence
        /// a: operand, b: regular expression. The second finds no match in null, where the first fails.
        case matches
        case matchesUnlessNull
        /// a: operand, b: operand that gives the pattern
        case matchesDynamic
        case matchesDynamicUnlessNull
        /// a: first of b operands in the operand list, an optional element as its complement
        case list
        /// a: first of b operands in the operand list, keys and values alternating, an optional value as its complement
        case map
        /// a: first of b operands in the operand list
        case call
        /// a: first of six operands in the operand list: the container, the kind of result, the slots of its
        /// variables, its filter and its body; -1 where there is none
        case loop
        /// a: first of three operands in the operand list: slot, value, body
        case bind
        /// a: first of three operands in the operand list: slot, optional, body
        case mapOptional
        case flatMapOptional
        /// a: the fault's code
        case failure
    }

    var operation: Operation
    /// The place of the function that a call calls, among all.
    var function: UInt8 = 0
    var a: Int32 = 0
    var b: Int32 = 0
}
