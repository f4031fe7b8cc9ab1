import Bus
import Foundation
import Loop
import Timers

/// The resources of a process, to compare before and after. For a separate process.
package struct ProcessState: Equatable, CustomStringConvertible {
    package let descriptors: Int
    /// The threads of this package, by name. Those of the cooperative pool vary.
    package let threads: [String]
    /// Blocked, ignored and caught signals.
    package let signals: [String]
    package let subscriptions: Int

    package static func now() throws -> ProcessState {
        settle()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return ProcessState(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: try threads(),
            signals: status.split(separator: "\n").filter { $0.hasPrefix("Sig") && !$0.hasPrefix("SigQ") }.map(
                String.init
            ),
            subscriptions: Subscriptions.count
        )
    }

    private static func threads() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { task in
            // A listed thread may have ended.
            try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
        }
        // Those that deliver what senders leave start when there is something, and stay.
        .filter { $0.hasPrefix("bus-") && $0 != "bus-delivery\n" }
        .sorted()
    }

    /// Resident memory in bytes, after free heap memory is returned to the system.
    package static func size() throws -> Int {
        settle()
        let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(statm[1]) ?? 0) * 4096
    }

    /// Returns when the event loop and the shared scheduler have finished their pending work.
    package static func settle() {
        for _ in 0..<4 {
            // In bursts, input is only read after a rest.
            while roundTripFindsRest() {}
            let delivered = Latch()
            ThreadScheduler.shared.schedule { delivered.open() }
            delivered.wait()
        }
    }

    private static func roundTripFindsRest() -> Bool {
        let (found, looked) = (Lock(false), Latch())
        do {
            try EventLoop.shared.perform {
                do {
                    let isResting = try EventLoop.shared.isResting
                    found.withLock { $0 = isResting }
                } catch {
                    preconditionFailure("\(error)")
                }
                looked.open()
            }
        } catch {
            preconditionFailure("\(error)")
        }
        looked.wait()
        return found.withLock { $0 }
    }

    package var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(subscriptions) subscriptions, \(signals)"
    }
}
