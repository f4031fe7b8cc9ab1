import Glibc
import OSSignalBridge
import Terminal

/// The process's exit status. Thrown to end the command.
enum ExitStatus: Error, Equatable {
    case matched
    case nothingMatched
    case usage
    case sourceLost
    /// A command that was run for a record.
    case commandFailed
    case timedOut
    case interrupted(signal: CInt)

    var rawValue: CInt {
        switch self {
        case .matched: 0
        case .nothingMatched: 1
        case .usage: 2
        case .sourceLost: 3
        case .commandFailed: 4
        case .timedOut: 124
        // As shells write it.
        case .interrupted(let signal): 128 + signal
        }
    }

    /// Ends the process. Nothing is waiting in the C library's buffers, and its exit handlers would destroy the
    /// libraries' globals while threads may still be reading.
    func end() -> Never {
        Screen.abandon()
        if case .interrupted(let signal) = self { OSSignal(number: signal).endProcess() }
        _exit(rawValue)
    }
}
