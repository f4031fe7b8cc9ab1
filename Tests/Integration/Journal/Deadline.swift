import Foundation
import Glibc

/// A test that waits for the outside world gives up some time, far beyond what it can need.
enum Deadline {
    static let seconds: Double = 120

    static func wait(_ what: String, until condition: () throws -> Bool) throws {
        let end = Date().addingTimeInterval(seconds)
        while try !condition() {
            guard Date() < end else { throw Command.Failure(description: "waited \(seconds) s for \(what)") }
            usleep(2_000)
        }
    }
}
