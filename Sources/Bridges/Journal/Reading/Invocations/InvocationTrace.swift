/// One way in which entries show their unit's invocation: a field has its id, if the entry has some other fields,
/// too.
struct InvocationTrace {
    /// The name of the field.
    let field: [UInt8]
    /// Each `NAME=value`. Some are trusted fields, so that no process can forge entries of other units.
    let conditions: [[UInt8]]

    private init(_ field: String, _ conditions: String...) {
        self.field = Array(field.utf8)
        self.conditions = conditions.map { Array($0.utf8) }
    }

    /// Entries of the unit itself, of its manager about it, and of permitted others about it.
    static func all(of unit: InvokedUnit) -> [InvocationTrace] {
        switch unit {
        case .system(let name):
            [
                InvocationTrace("_SYSTEMD_INVOCATION_ID", "_SYSTEMD_UNIT=\(name)"),
                InvocationTrace("INVOCATION_ID", "UNIT=\(name)", "_PID=1"),
                InvocationTrace("OBJECT_SYSTEMD_INVOCATION_ID", "OBJECT_SYSTEMD_UNIT=\(name)", "_UID=0"),
            ]
        case .user(let name, let user):
            [
                InvocationTrace("_SYSTEMD_INVOCATION_ID", "_SYSTEMD_USER_UNIT=\(name)", "_UID=\(user)"),
                InvocationTrace("USER_INVOCATION_ID", "USER_UNIT=\(name)", "_UID=\(user)"),
                InvocationTrace("OBJECT_SYSTEMD_INVOCATION_ID", "OBJECT_SYSTEMD_USER_UNIT=\(name)", "_UID=0"),
            ]
        }
    }

    /// The id in a field; `nil` if it is another field, or has no id.
    func id(in line: UnsafeRawBufferPointer) -> ID128? {
        guard line.count == field.count + 33, line.starts(with: field), line[field.count] == UInt8(ascii: "=") else {
            return nil
        }
        return ID128(hexadecimal: UnsafeRawBufferPointer(rebasing: line[(field.count + 1)...]))
    }

    /// The ids that an entry has, by all of its fields.
    func ids(in lines: [[UInt8]]) -> [ID128] {
        guard conditions.allSatisfy(lines.contains) else { return [] }
        return lines.compactMap { line in line.withUnsafeBytes { id(in: $0) } }
    }
}
