/// The place of one field among an entry's bytes. A field is stored as the journal spells it: `NAME=value`.
struct FieldSlot {
    var start: UInt32
    var nameLength: UInt32
    var valueLength: UInt32

    var valueStart: Int { Int(start) + Int(nameLength) + 1 }
}
