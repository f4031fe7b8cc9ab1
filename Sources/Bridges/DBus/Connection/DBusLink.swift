import Bus
import CLinux
import Glibc
import SystemPackage

/// One connection from beginning to end, and the way for other threads to reach its thread.
final class DBusLink: Sendable {
    private struct State: Sendable {
        var commands: [DBusCommand] = []
        var isClosing = false
        var isOver = false
    }

    let address: DBusAddress
    private let state = Lock(State())
    /// Readable when there are commands; below zero, the negated error number if it could not be created.
    let wakeup = clinux_eventfd_create()

    init(_ address: DBusAddress) {
        self.address = address
    }

    deinit {
        if wakeup >= 0 { Glibc.close(wakeup) }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Takes a command, unless the link has ended.
    func accept(_ command: DBusCommand) -> Bool {
        let (isAccepted, isFirst) = state.withLock { state in
            guard !state.isOver, !state.isClosing else { return (false, false) }
            state.commands.append(command)
            return (true, state.commands.count == 1)
        }
        if isFirst { wake() }
        return isAccepted
    }

    func close() {
        state.withLock { $0.isClosing = true }
        wake()
    }

    func start() {
        start {
            DBusThread(self).run()
        } orFail: { _ in
        }
    }

    /// Runs `body` on a thread of its own.
    func start(_ body: @escaping @Sendable () -> Void, orFail fail: (DBusError) -> Void) {
        func give(up code: CInt) {
            end(.system(errno: Errno(rawValue: code)))
            fail(DBusError(.system(errno: Errno(rawValue: code)), "reach \(address)"))
        }
        guard wakeup >= 0 else { return give(up: -wakeup) }
        do throws(PinnedThread.StartError) {
            try PinnedThread.start(name: "dbus", body)
        } catch {
            give(up: error.code)
        }
    }

    /// The commands since the last call, and whether to end afterwards. On the link's thread.
    func take() -> (commands: [DBusCommand], isClosing: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.isClosing)
        }
    }

    /// Takes no more commands, and fails those that were not begun.
    func end(_ reason: DBusError.Reason) {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.commands = [] }
            return state.commands
        }
        for command in left { command.fail(reason) }
    }

    /// Takes back that there are commands. On the link's thread.
    func clearWakeup() {
        var count: UInt64 = 0
        // Nothing to read is no error.
        _ = read(wakeup, &count, MemoryLayout<UInt64>.size)
    }

    private func wake() {
        // It fails only when it is full, and then it is readable.
        if wakeup >= 0 { _ = clinux_eventfd_signal(wakeup) }
    }
}
