/// How a cell looks. A terminal without colours shows none, and one without an attribute leaves it out.
package struct Style: Hashable, Sendable {
    /// A colour of the text; the background is the terminal's. On a terminal with 8 colours, gray is dim text.
    package enum Color: Int, CaseIterable, Sendable {
        case red = 1
        case green, yellow, blue, magenta, cyan, gray
    }

    /// `nil` is the terminal's own.
    package var color: Color?
    package var isBold: Bool
    package var isDim: Bool
    package var isReversed: Bool
    package var isUnderlined: Bool

    package init(
        color: Color? = nil,
        isBold: Bool = false,
        isDim: Bool = false,
        isReversed: Bool = false,
        isUnderlined: Bool = false
    ) {
        self.color = color
        self.isBold = isBold
        self.isDim = isDim
        self.isReversed = isReversed
        self.isUnderlined = isUnderlined
    }

    package static let plain = Style()
}
