import Bridges
import Bus
import CLinux
import Dispatch
import Foundation
import SystemPackage
import TestSupport
import Testing
import Timers

/// A source that can pause. It sends the numbers from 0 on.
struct PausableSource: Sendable, CustomTestStringConvertible {
    let name: String
    let build: @Sendable (_ count: Int) throws -> AnySignal<Int, Never>

    var testDescription: String { name }

    init(_ name: String, _ build: @escaping @Sendable (_ count: Int) throws -> some Signal<Int, Never>) {
        self.name = name
        self.build = { try build($0).eraseToAnySignal() }
    }

    static let all = ofProgram + ofSystem

    /// For a source in several parts: how many numbers each part sends.
    private static let part = 1_000

    static let ofProgram = [
        PausableSource("sequence") { Signals.from(0..<$0) },
        PausableSource("sequence on a thread") { Signals.from(0..<$0, on: ThreadScheduler(name: "source"), burst: 64) },
        PausableSource("sequence on the timers' scheduler") { Signals.from(0..<$0, on: TimerScheduler.shared) },
        PausableSource("asynchronous sequence") { Signals.from(AsyncNumbers(count: $0)) },
        PausableSource("tasks") { count in
            Signals.from(0..<count).flatMap(.concat, limit: 1) { number in Task { number }.outcome() }
        },
        PausableSource("repeat") { count in
            Signals.from(0..<part).repeat((count + part - 1) / part).enumerated().map(\.offset).take(first: count)
        },
        PausableSource("retry") { count in
            Signals.from(0..<part).promoteFailure(to: Broken.self).concat(Signals.fail(Broken(), of: Int.self))
                .retry(count / part).catch { _ in Signals.empty(Int.self) }
                .enumerated().map(\.offset).take(first: count)
        },
        PausableSource("concat") { count in
            Signals.from(0..<count / 2).concat(Signals.from(count / 2..<count))
        },
    ]

    static let ofSystem = [
        PausableSource("a child's output") { count in
            Signals.run(ChildProcess("seq", ["0", "\(count - 1)"]))
                .compactMap { event -> Int? in
                    guard case .output(let line) = event else { return nil }
                    return Int(line)
                }
                .catch { _ in Signals.empty(Int.self) }
        },
        PausableSource("a pipe") { count in
            // A write returns an error when the reader has gone.
            signal(SIGPIPE, SIG_IGN)
            var (first, second): (CInt, CInt) = (-1, -1)
            try #require(clinux_pipe(&first, &second) == 0)
            let (reading, writing) = (FileDescriptor(rawValue: first), FileDescriptor(rawValue: second))
            _ = try TestThread {
                _ = try? writing.closeAfter { try writing.writeAll(text(count)) }
            }
            return Signals.bytes(from: reading).lines().compactMap { Int($0) }
                .catch { _ in Signals.empty(Int.self) }
                .finally { try? reading.close() }
        },
        PausableSource("a Dispatch source") { count in
            let folder = try TemporaryFolder()
            try Data(text(count)).write(to: URL(filePath: folder.path("numbers")))
            let file = try FileDescriptor.open(folder.path("numbers"), .readOnly)
            return Signals.dispatchReadable(file, on: DispatchQueue(label: "source"))
                .map { _ in piece(of: file) }
                .take(while: { !$0.isEmpty })
                .catch { _ in Signals.empty([UInt8].self) }
                .lines().compactMap { Int($0) }
                .finally { withExtendedLifetime(folder) { try? file.close() } }
        },
        PausableSource("an export stream") { count in
            let folder = try TemporaryFolder()
            let entries = (0..<part).map { [(name: "MESSAGE", value: Array("\($0)".utf8))] }
            try SyntheticJournal.export(entries).write(to: URL(filePath: folder.path("stream")))
            return Signals.journalExport(path: folder.path("stream"))
                .compactMap { $0.entry?["MESSAGE"] }
                .catch { _ in Signals.empty(String.self) }
                .repeat((count + part - 1) / part).enumerated().map(\.offset).take(first: count)
                .finally { withExtendedLifetime(folder) {} }
        },
        PausableSource("a journal") { count in
            let journal = try SyntheticJournal(messages: part)
            return Signals.journal(.files([journal.path]), follow: false)
                .compactMap { $0.entry?["MESSAGE"] }
                .catch { _ in Signals.empty(String.self) }
                .repeat((count + part - 1) / part).enumerated().map(\.offset).take(first: count)
                .finally { withExtendedLifetime(journal) {} }
        },
    ]

    private static func text(_ count: Int) -> [UInt8] { Array((0..<count).lazy.map { "\($0)\n" }.joined().utf8) }

    private static func piece(of file: FileDescriptor) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 4_096) { bytes, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(bytes))) ?? 0
        }
    }
}

private struct Broken: Error {}

private struct AsyncNumbers: AsyncSequence, Sendable {
    let count: Int

    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        var sent = 0

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard sent < count else { return nil }
            defer { sent += 1 }
            return sent
        }

        mutating func next() async -> Int? { await next(isolation: nil) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(count: count) }
}
