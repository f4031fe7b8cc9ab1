extension UInt64 {
    /// The number that digits stand for; nil when there are none, for another character, and for a number that does not fit.
    init?(decimal digits: some Sequence<UInt8>) {
        var number: UInt64?
        for digit in digits {
            let value = digit &- UInt8(ascii: "0")
            let (tens, isFar) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isFurther) = tens.addingReportingOverflow(UInt64(value))
            guard value < 10, !isFar, !isFurther else { return nil }
            number = sum
        }
        guard let number else { return nil }
        self = number
    }
}
