import Bus
import Glibc
import Loop
import OSSignalBridge
import Timers

/// Registers and drops many times, and reports what is left.
struct Churning: Sendable {
    private let set: OSSignalSet
    private let setup: Setup
    private let count: Int
    private let listeners: Int

    init(_ words: [String]) throws {
        set = try OSSignalSet(words[0].split(separator: ",").compactMap { CInt($0) })
        setup = Setup(rawValue: words[1]) ?? .blocked
        count = Int(words[2]) ?? 1
        listeners = Int(words[3]) ?? 1
    }

    func run() throws {
        try setup.prepare(set)
        setup.perform {
            // The shared threads, and the allocators' memory, exist after the first of them.
            churn(max(200, count / 10))
            let before = Traces()
            churn(count)
            Output.line("before \(before)")
            Output.line("after \(Traces())")
            Output.line("grown \(Traces().memory - before.memory)")
        }
    }

    private func churn(_ count: Int) {
        for _ in 0..<count {
            let subscriptions = (0..<listeners).map { _ in
                Signals.osSignals(set).subscribe(next: { _ in }, failed: { Output.line("failed: \($0)") })
            }
            for subscription in subscriptions { subscription.dispose() }
        }
        let done = Latch()
        try? EventLoop.shared.perform { done.open() }
        done.wait()
    }
}

/// The resources that registrations could leave behind.
struct Traces: CustomStringConvertible {
    let descriptors = Facts.entries("/proc/self/fd").count
    let handlers = Facts.field("SigCgt", "/proc/self/status")
    /// Of all threads but those that deliver what senders leave, which start when there is something, and stay.
    let masks = Facts.entries("/proc/self/task")
        .filter { !Facts.text("/proc/self/task/\($0)/comm").hasPrefix("bus-delivery") }
        .map { Facts.field("SigBlk", "/proc/self/task/\($0)/status") }
    let memory = Facts.memory

    var description: String {
        "descriptors \(descriptors) handlers \(handlers) threads \(masks.count) masks \(masks.joined(separator: ","))"
    }
}
