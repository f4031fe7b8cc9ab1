public import Records

/// Tests write times as numbers of microseconds since 1970.
extension RecordTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral microseconds: Int64) {
        self.init(microseconds: microseconds)
    }
}
