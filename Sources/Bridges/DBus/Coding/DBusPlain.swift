/// A Swift type that one value of D-Bus fills, and whose own type on D-Bus is known.
protocol DBusPlain {
    static var dbusType: DBusType { get }

    /// Makes the value from a value that is no variant; nil if it does not fit the type.
    init?(from value: DBusValue)

    /// As a value of one of D-Bus's types; nil if that type cannot hold it.
    func value(as type: DBusType) -> DBusValue?
}

extension DBusPlain where Self: BinaryInteger {
    init?(from value: DBusValue) {
        if let number = value.integer {
            self.init(exactly: number)
        } else if let number = value.unsignedInteger {
            self.init(exactly: number)
        } else {
            return nil
        }
    }

    func value(as type: DBusType) -> DBusValue? {
        switch type {
        case .byte: UInt8(exactly: self).map(DBusValue.byte)
        case .int16: Int16(exactly: self).map(DBusValue.int16)
        case .uint16: UInt16(exactly: self).map(DBusValue.uint16)
        case .int32: Int32(exactly: self).map(DBusValue.int32)
        case .uint32: UInt32(exactly: self).map(DBusValue.uint32)
        case .int64: Int64(exactly: self).map(DBusValue.int64)
        case .uint64: UInt64(exactly: self).map(DBusValue.uint64)
        case .double: Double(exactly: self).map(DBusValue.double)
        default: nil
        }
    }
}

extension Int: DBusPlain { static var dbusType: DBusType { .int64 } }
extension Int8: DBusPlain { static var dbusType: DBusType { .int16 } }
extension Int16: DBusPlain { static var dbusType: DBusType { .int16 } }
extension Int32: DBusPlain { static var dbusType: DBusType { .int32 } }
extension Int64: DBusPlain { static var dbusType: DBusType { .int64 } }
extension UInt: DBusPlain { static var dbusType: DBusType { .uint64 } }
extension UInt8: DBusPlain { static var dbusType: DBusType { .byte } }
extension UInt16: DBusPlain { static var dbusType: DBusType { .uint16 } }
extension UInt32: DBusPlain { static var dbusType: DBusType { .uint32 } }
extension UInt64: DBusPlain { static var dbusType: DBusType { .uint64 } }

extension Bool: DBusPlain {
    static var dbusType: DBusType { .boolean }

    init?(from value: DBusValue) {
        guard let bool = value.bool else { return nil }
        self = bool
    }

    func value(as type: DBusType) -> DBusValue? { type == .boolean ? .boolean(self) : nil }
}

extension Double: DBusPlain {
    static var dbusType: DBusType { .double }

    init?(from value: DBusValue) {
        guard let number = value.number else { return nil }
        self = number
    }

    func value(as type: DBusType) -> DBusValue? { type == .double ? .double(self) : nil }
}

extension Float: DBusPlain {
    static var dbusType: DBusType { .double }

    init?(from value: DBusValue) {
        guard let number = value.number else { return nil }
        self = Float(number)
    }

    func value(as type: DBusType) -> DBusValue? { type == .double ? .double(Double(self)) : nil }
}

extension String: DBusPlain {
    static var dbusType: DBusType { .string }

    init?(from value: DBusValue) {
        guard let text = value.text else { return nil }
        self = text
    }

    func value(as type: DBusType) -> DBusValue? {
        switch type {
        case .string: .string(self)
        case .objectPath: .objectPath(self)
        case .signature: .signature(self)
        default: nil
        }
    }
}
