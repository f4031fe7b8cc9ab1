/// A line as its bytes, or a piece of a line that is longer than the limit.
package struct LineBytes: LineText {
    package let bytes: [UInt8]
    /// Whether the line goes on with the next piece.
    package let isContinued: Bool
    /// Whether it is the rest of a line of which pieces came before.
    package let isRest: Bool

    package init(bytes: some Collection<UInt8>, isContinued: Bool, isRest: Bool) {
        self.bytes = Array(bytes)
        self.isContinued = isContinued
        self.isRest = isRest
    }
}
