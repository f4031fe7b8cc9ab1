public import Bus
import CLinux
import Glibc
import Timers

extension Signals {
    /// The signals of the set as they come, from any process, with what the kernel knows of their sender. Hot.
    ///
    /// ```
    /// kill -HUP   --HUP-----------
    /// kill -TERM  ---------TERM---
    /// osSignals   --HUP----TERM---
    /// ```
    ///
    /// The set must be blocked (``OSSignalSet/block()``) before the process has other threads; otherwise some are
    /// taken by their default action. Standard signals that come while one of their number waits are one (the
    /// kernel's rule); real-time signals come each, in order, with their values. Two subscriptions to the same signal
    /// share what comes between them, each signal reaching one of the two.
    ///
    /// Never completes; fails when the system refuses a descriptor. Speaks on `scheduler`, where at most 65,536 may
    /// wait; what finds no room is lost.
    public static func osSignals(
        _ set: OSSignalSet,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<OSSignal, OSSignalError> {
        create(of: OSSignal.self, failure: OSSignalError.self) { emitter in
            do throws(OSSignalError) {
                return try SignalDescriptor.watch(set, emitter)
            } catch {
                emitter.failed(error)
                return nil
            }
        }
        // What feeds this is the thread that all descriptors and timers share, so it must not be made to wait.
        .deliver(on: scheduler, limit: 65_536, overflow: .dropNewest)
    }
}

/// A signalfd(2) on the event loop.
private enum SignalDescriptor {
    static func watch(
        _ set: OSSignalSet,
        _ emitter: Emitter<OSSignal, OSSignalError>
    ) throws(OSSignalError) -> any Disposable {
        var systemSet = set.systemSet
        let descriptor = signalfd(-1, &systemSet, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(operation: "open a signal descriptor", code: errno) }
        do throws(EventLoopError) {
            let watch = try EventLoop.shared.watch(descriptor) { _ in
                while let signal = read(descriptor) { emitter.next(signal) }
            }
            return ActionDisposable { watch.cancel { close(descriptor) } }
        } catch {
            close(descriptor)
            throw .system(operation: "watch a signal descriptor", code: error.code)
        }
    }

    private static func read(_ descriptor: CInt) -> OSSignal? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        var count = 0
        repeat { count = Glibc.read(descriptor, &info, size) } while count < 0 && errno == EINTR
        guard count == size else { return nil }
        return OSSignal(
            number: CInt(bitPattern: info.ssi_signo),
            code: info.ssi_code,
            pid: pid_t(bitPattern: info.ssi_pid),
            uid: info.ssi_uid,
            value: info.ssi_int,
            status: info.ssi_status
        )
    }
}
