import Foundation
import NATSBridge

/// Counts and sums up what comes, and waits for the end.
final class NATSAwaited: @unchecked Sendable {
    // Touched by the one thread that hears, and by the waiting one after the end.
    private let numbers = UnsafeMutablePointer<(sum: UInt64, count: Int)>.allocate(capacity: 1)
    private var problem: String?
    private let over = DispatchSemaphore(value: 0)

    init() { numbers.initialize(to: (0, 0)) }

    // Small, and not freed, for the signal may say something more.
    var sum: UInt64 { numbers.pointee.sum }

    func count() { numbers.pointee.sum &+= 1 }

    /// Ends with the last of `count` numbers.
    func add(_ number: Int, of count: Int) {
        numbers.pointee.sum &+= UInt64(truncatingIfNeeded: number)
        numbers.pointee.count += 1
        if numbers.pointee.count == count { end() }
    }

    func end(_ problem: String? = nil) {
        self.problem = problem
        over.signal()
    }

    func wait() throws {
        guard over.wait(timeout: .now() + 60) == .success else { throw Complaint("NATS: no end within a minute") }
        if let problem { throw Complaint("NATS: \(problem)") }
    }

    func flush(_ connection: NATSConnection) throws {
        let flushed = DispatchSemaphore(value: 0)
        let found = Failure()
        Task.detached {
            do {
                try await connection.flush(timeout: .seconds(30))
            } catch {
                found.text = "\(error)"
            }
            flushed.signal()
        }
        flushed.wait()
        if let text = found.text { throw Complaint("NATS: \(text)") }
    }
}

/// What a task failed with. It is read after the task has signalled its end.
private final class Failure: @unchecked Sendable {
    var text: String?
}
