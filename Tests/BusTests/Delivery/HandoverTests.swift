import Bus
import BusTesting
import TestSupport
import Testing

/// `deliver(on:)` compared with a model of its queue: random sends, losses, hops and pauses in virtual time.
@Suite("The queue between two threads")
struct HandoverTests {
    enum Policy: CaseIterable, Sendable {
        case pause, dropOldest, dropNewest, fail

        var overflow: Overflow<TestFailure> {
            switch self {
            case .pause: .pause
            case .dropOldest: .dropOldest
            case .dropNewest: .dropNewest
            case .fail: .fail { _ in "full" }
            }
        }
    }

    /// The queue's entries, in order.
    enum Entry: Equatable {
        case value(Int)
        case lost(Int)

        var isValue: Bool { if case .value = self { true } else { false } }
    }

    /// The queue as its page describes it, built from arrays.
    struct Model {
        let policy: Policy
        let limit: Int
        var waiting: [Entry] = []
        var batch: [Entry] = []
        var room: Int
        var isScheduled = false
        var isParked = false
        /// How many values are in the queue.
        var values = 0
        var lostToFailure = 0
        var log: [String] = []

        mutating func send(_ value: Int) {
            if lostToFailure > 0 {
                lostToFailure += 1
            } else if values < limit {
                waiting.append(.value(value))
                values += 1
            } else {
                switch policy {
                case .pause, .dropNewest: lose(1)
                case .fail: lostToFailure = 1
                case .dropOldest:
                    loseOldest()
                    waiting.append(.value(value))
                }
            }
            wake()
        }

        mutating func lose(_ count: Int) {
            if case .lost(let before)? = waiting.last {
                waiting[waiting.count - 1] = .lost(before + count)
            } else {
                waiting.append(.lost(count))
            }
            wake()
        }

        /// Merges the first value and the losses before and after it into one loss.
        private mutating func loseOldest() {
            guard let first = waiting.firstIndex(where: \.isValue) else { return }
            var (missing, end) = (1, first + 1)
            if case .lost(let before)? = waiting.first { missing += before }
            if end < waiting.count, case .lost(let behind) = waiting[end] {
                missing += behind
                end += 1
            }
            waiting.replaceSubrange(..<end, with: [.lost(missing)])
        }

        private mutating func wake() {
            if !isParked { isScheduled = true }
        }

        mutating func run() {
            guard isScheduled else { return }
            isScheduled = false
            while true {
                if batch.isEmpty {
                    if waiting.isEmpty { return }
                    swap(&batch, &waiting)
                    values = 0
                }
                if room == 0, batch.contains(where: \.isValue) {
                    isParked = true
                    return
                }
                while !batch.isEmpty {
                    switch batch.removeFirst() {
                    case .lost(let count): log.append("lost \(count)")
                    case .value(let value):
                        log.append("\(value)")
                        room -= 1
                        guard room == 0 else { continue }
                        isParked = true
                        return
                    }
                }
            }
        }

        mutating func release(_ count: Int) {
            room += count
            guard isParked else { return }
            isParked = false
            isScheduled = true
        }
    }

    @Test("does what its model does", arguments: Policy.allCases)
    func model(policy: Policy) {
        var random = SeededGenerator(14)
        for round in 0..<Stress.rounds(100, stress: 1_000) {
            let limit = [1, 2, 15, 16, 17, 90, 300].randomElement(using: &random) ?? 1
            let (subject, time) = (Subject(of: Counted.self, failure: TestFailure.self), TestScheduler())
            let (log, living) = (Log<String>(), Lock(0))
            let room = Int.random(in: 1...limit * 2, using: &random)
            var model = Model(policy: policy, limit: limit, room: room)
            let recorder = PausingRecorder(
                subject.deliver(on: time, limit: limit, overflow: policy.overflow)
                    .map { $0.number }
                    .on(next: { log.append("\($0)") }, lost: { log.append("lost \($0)") }),
                after: room
            )
            var number = 0
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...3:
                    for _ in 0..<Int.random(in: 1...limit + 20, using: &random) {
                        subject.send(Counted(number, living))
                        model.send(number)
                        number += 1
                    }
                case 4:
                    let count = Int.random(in: 1...3, using: &random)
                    subject.sendLoss(of: count)
                    if model.lostToFailure == 0 { model.lose(count) }
                case 5:
                    let count = Int.random(in: 1...limit * 2, using: &random)
                    recorder.release(count)
                    model.release(count)
                default:
                    time.run()
                    model.run()
                }
            }
            let isSame = log.entries == model.log
            #expect(isSame, "round \(round)")
            recorder.dispose()
            time.run()
            #expect(living.withLock { $0 } == 0, "round \(round)")
        }
    }
}

extension HandoverTests {
    /// A scheduler that has ended.
    private struct Ended: Scheduler {
        func schedule(_ work: @escaping @Sendable () -> Void) {}

        var isCurrent: Bool { false }
    }

    @Test("values that nobody will hear are freed with the chain")
    func unheard() {
        let living = Lock(0)
        do {
            let subject = Subject(of: Counted.self)
            let handle = subject.deliver(on: Ended(), limit: 4).subscribe(next: { _ in })
            for number in 0..<6 { subject.send(Counted(number, living)) }
            #expect(living.withLock { $0 } == 4)
            withExtendedLifetime(handle) {}
        }
        #expect(living.withLock { $0 } == 0)
    }

    @Test("the handle is disposed of when the end is heard")
    func handle() {
        let (subject, time) = (Subject(of: Int.self), TestScheduler())
        let handle = subject.deliver(on: time).subscribe(next: { _ in })
        subject.complete()
        #expect(!handle.isDisposed)
        time.run()
        #expect(handle.isDisposed)
    }
}

/// A value that is counted while it lives.
private final class Counted: Sendable {
    let number: Int
    private let living: Lock<Int>

    init(_ number: Int, _ living: Lock<Int>) {
        self.number = number
        self.living = living
        living.withLock { $0 += 1 }
    }

    deinit {
        living.withLock { $0 -= 1 }
    }
}
