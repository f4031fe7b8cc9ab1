public import Bus
public import Glibc
public import SystemPackage

/// A program to be started as a child: the program, its arguments, and its streams.
///
/// A value; ``Bus/Signals/run(_:on:)`` starts it. The child gets an empty signal mask and every signal's default action,
/// whatever the threads and handlers of this process are, and no descriptors but 0, 1 and 2.
public struct ChildProcess: Sendable {
    /// The child's environment.
    public enum Environment: Sendable, Hashable {
        /// This process's.
        case inherited
        /// This process's with these changed; variables with nil are left out.
        case updating([String: String?])
        /// Only these.
        case only([String: String])
    }

    /// The child's standard input.
    public enum Input: Sendable {
        /// `/dev/null`: the end at once.
        case none
        /// This process's standard input.
        case inherited
        /// This open file, as of the moment when the child is started. The caller keeps it open until then, and closes it.
        case descriptor(FileDescriptor)
        /// The signal's values, and the end of input when it completes. It is subscribed to while the child runs. If
        /// it is faster than the child reads, it is told to pause once 1,024 values wait; if it cannot pause and
        /// sends more, the run fails. It is no failure if the child closes its input.
        case signal(AnySignal<[UInt8], Never>)
    }

    /// The child's output.
    public enum Output: Sendable, Hashable {
        /// Its lines are heard.
        case lines
        /// `/dev/null`.
        case discarded
        /// The same file as this process's.
        case inherited
        /// This open file, as of the moment when the child is started. The caller keeps it open until then, and closes it.
        case descriptor(FileDescriptor)
    }

    /// The program: a path, or a name that is looked for in this process's `PATH`.
    public var executable: FilePath
    /// The arguments behind the program's name. No shell reads them.
    public var arguments: [String]
    /// The variables that it starts with; by default this process's.
    public var environment = Environment.inherited
    /// The directory it starts in; nil for this process's working directory.
    public var workingDirectory: FilePath?
    /// The standard input; by default it is at its end at once.
    public var input = Input.none
    /// The standard output; by default its lines are heard as ``ChildEvent/output(_:)``.
    public var output = Output.lines
    /// The standard error; by default its lines are heard as ``ChildEvent/errors(_:)``.
    public var errors = Output.lines
    /// How many bytes a line has at most; a longer one comes in pieces.
    public var lineLimit = 65_536
    /// Whether it leads a process group of its own. Then its own children are ended with it when the subscription is,
    /// and a terminal's Ctrl-C does not reach it.
    public var hasOwnGroup = true
    /// How long it may take to end after `SIGTERM`, before it is killed.
    public var grace = Duration.seconds(5)

    /// Starts nothing. The other properties have their defaults.
    public init(_ executable: FilePath, _ arguments: [String] = []) {
        self.executable = executable
        self.arguments = arguments
    }
}

/// An event of a child.
public enum ChildEvent: Sendable, Hashable {
    /// It runs. The number may be another process's as soon as the child has ended, a moment before `ended` is heard.
    case started(pid: pid_t)
    /// A line of its standard output.
    case output(String)
    /// A line of its standard error. The order between the two streams is not known.
    case errors(String)
    /// It has ended; always the last value.
    case ended(ProcessStatus)
}
