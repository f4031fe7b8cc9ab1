import TestSupport
import Bus
import BusTesting
import Glibc
import Testing
import SystemPackage

@testable import OSSignalBridge

extension Topic where Value == OSSignal {
    fileprivate static let signals = Topic("process.signal")
}

// Grouped with the tests that change signal actions, which run one after the other.
extension OSSignalsTests {
    @Test("when mounted on a topic in one line of code, the topic's subscribers hear what another process sends")
    func mounted() throws {
        let bus = NotificationBus()
        let recorder = Recorder(bus.signal(for: .signals).take(first: 2))
        let first = Recorder(bus.signal(for: .signals).take(first: 1))
        let mount = Signals.osSignals(try OSSignalSet([59, 60])).post(to: .signals, on: bus) { Issue.record($0) }
        try TestFolder.shell("kill -60 \(getpid())")
        first.waitForEnd()
        try TestFolder.shell("kill -59 \(getpid())")
        recorder.waitForEnd()
        #expect(recorder.values.map(\.number) == [60, 59])
        #expect(recorder.values.allSatisfy { $0.pid > 0 && $0.pid != getpid() })
        mount.dispose()
        settle()
    }

    @Test("signals that another part of the process reads are a failure of the mount only")
    func mountFails() {
        let bus = NotificationBus()
        let recorder = Recorder(bus.signal(for: .signals))
        let failed = Recorder(
            Signals.create(of: OSSignalError.self) { emitter in
                Signals.osSignals(on: ImmediateScheduler(), limit: 4) { listener in
                    listener.fail(.taken(number: 59, descriptor: FileDescriptor(rawValue: 3)))
                    return nil
                }
                .post(to: .signals, on: bus, failed: { emitter.send($0) })
            }
        )
        #expect(failed.values == [.taken(number: 59, descriptor: FileDescriptor(rawValue: 3))])
        #expect(!recorder.hasEnded)
        failed.dispose()
    }
}
