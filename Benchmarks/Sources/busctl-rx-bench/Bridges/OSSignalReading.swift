import Bus
import Dispatch
import Glibc
import OSSignalBridge

// The Glibc module does not export it.
@_silgen_name("signalfd")
private func signalfd(_ descriptor: CInt, _ mask: UnsafePointer<sigset_t>, _ flags: CInt) -> CInt

extension Benchmark {
    /// Real-time signals that this process queues to itself, compared with a bare loop over a signal descriptor.
    static let osSignals = Benchmark(name: "os-signals") { settings, report in
        let number: CInt = 40
        let set = try OSSignalSet([number])
        // No thread may be interrupted. Blocked by hand, so that the signal stays blocked between the rounds.
        var mask = signals(number)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        let contest = Contest(
            name: "queued OS signals",
            events: 400_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let done = DispatchSemaphore(value: 0)
                        let subscription = Signals.osSignals(set).subscribe(
                            next: { signal in
                                tally.add(Int(signal.value))
                                if signal.value == count - 1 { done.signal() }
                            },
                            failed: { _ in done.signal() }
                        )
                        queue(number, count)
                        done.wait()
                        subscription.dispose()
                    }
                },
                .floor("bare signalfd loop") { count in
                    try Tally.of { tally in
                        let done = DispatchSemaphore(value: 0)
                        try readBare(number, count, tally, done)
                        queue(number, count)
                        done.wait()
                    }
                },
            ]
        )
        let (wall, cpu) = try contest.runOnBothClocks(settings)
        report.add(wall)
        report.add(cpu, bounds: [Bound(name: "queued OS signals", limit: .aboveFloor(atMost: 100))])
    }

    private static func signals(_ number: CInt) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        return set
    }

    private static func queue(_ number: CInt, _ count: Int) {
        for value in 0..<CInt(count) {
            while sigqueue(getpid(), number, sigval(sival_int: value)) != 0 { sched_yield() }
        }
    }

    /// The least work of a custom program: a thread that reads the available signals and takes their values.
    private static func readBare(_ number: CInt, _ count: Int, _ tally: Tally, _ done: DispatchSemaphore) throws {
        var mask = signals(number)
        let descriptor = signalfd(-1, &mask, CInt(O_CLOEXEC))
        guard descriptor >= 0 else { throw Complaint("no signal descriptor, errno \(errno)") }
        let thread = ThreadScheduler(name: "bare")
        thread.schedule {
            // signalfd_siginfo is 128 bytes long; ssi_int is at offset 44.
            let (size, place, capacity) = (128, 44, 64)
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: size * capacity, alignment: 8)
            defer { buffer.deallocate() }
            var heard = 0
            while heard < count {
                let length = read(descriptor, buffer, size * capacity)
                guard length > 0 else { break }
                for record in 0..<(length / size) {
                    tally.add(Int(buffer.load(fromByteOffset: record * size + place, as: CInt.self)))
                }
                heard += length / size
            }
            close(descriptor)
            done.signal()
        }
    }
}
