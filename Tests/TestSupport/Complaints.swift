import Glibc
package import Testing

/// Used in a separate process, where a failed expectation cannot be seen. Prints what is wrong, and exits.
package func complain(unless isFine: Bool, _ message: @autoclosure () -> String) {
    guard !isFine else { return }
    let text = Array(message().utf8)
    _ = write(2, text, text.count)
    exit(0)
}

/// The parent's side: there must be no complaint.
package func expectNoComplaint(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
    let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(complaint == "", sourceLocation: sourceLocation)
}
