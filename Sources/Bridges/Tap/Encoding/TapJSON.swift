/// A value that is JSON already. A tap shows the text as it is.
package struct TapJSON: Sendable {
    /// One JSON value. A text that is none breaks the clients' messages.
    package let text: [UInt8]

    package init(_ text: [UInt8]) {
        self.text = text
    }
}
