import Glibc
import TestSupport

/// How a test waits for another process or thread: until it is done or the run's time is over.
enum Deadline {
    static func wait(_ what: @autoclosure () -> String, until condition: () throws -> Bool) throws {
        var pause: UInt32 = 1_000
        while try !condition() {
            guard !RunLimit.isOver else { throw Command.Failure(description: "the run is over; waited for \(what())") }
            usleep(pause)
            // Some conditions are more expensive than the wait.
            pause = min(pause + 1_000, 20_000)
        }
    }
}
