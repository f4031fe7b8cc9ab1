import CLinux
import Glibc

/// What a child process starts with: its descriptors, and none of the signals that the test's threads block.
final class SpawnPlan {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    /// The child's ends of pipes. They are open here until the child has them.
    private var childEnds: [Descriptor] = []
    /// The descriptors that are assigned. Every other descriptor is closed in the child, even one that another test
    /// opened in parallel.
    private var numbers: Set<Int32> = [0, 1, 2]

    /// - Parameter blocked: signals that are blocked in the child from its start.
    init(blocking blocked: [Int32] = []) throws {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in blocked { sigaddset(&mask, signal) }
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    deinit {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// - Returns: the test's end of a pipe.
    func connect(_ stream: TailProcess.Stream, to number: Int32) throws -> Descriptor? {
        numbers.insert(number)
        switch stream {
        case .closed:
            posix_spawn_file_actions_addclose(&actions, number)
            return nil
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, number == 0 ? O_RDONLY : O_RDWR, 0)
            return nil
        case .terminal:
            let terminal = try Descriptor.terminal()
            posix_spawn_file_actions_adddup2(&actions, terminal.slave.number, number)
            childEnds.append(terminal.slave)
            return terminal.master
        case .pipe:
            let pipe = try Descriptor.pipe()
            let (mine, theirs) = number == 0 ? (pipe.writing, pipe.reading) : (pipe.reading, pipe.writing)
            posix_spawn_file_actions_adddup2(&actions, theirs.number, number)
            childEnds.append(theirs)
            return mine
        }
    }

    /// Gives the child a descriptor of the test under this number.
    func pass(_ descriptor: Int32, as number: Int32) {
        numbers.insert(number)
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    func spawn(_ program: String, _ arguments: [[UInt8]], _ environment: [String: String]) throws -> pid_t {
        let words = [Array(program.utf8)] + arguments
        var argv = words.map { $0.map { CChar(bitPattern: $0) } + [0] }.map { strdup($0) }
        var envp = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in argv + envp { free(pointer) } }
        argv.append(nil)
        envp.append(nil)
        let end = (numbers.max() ?? 2) + 1
        for number in 0..<end where !numbers.contains(number) { posix_spawn_file_actions_addclose(&actions, number) }
        clinux_spawn_close_from(&actions, end)
        var pid: pid_t = 0
        let code = posix_spawn(&pid, program, &actions, &attributes, argv, envp)
        childEnds = []
        guard code == 0 else { throw Command.Failure(description: "\(program) does not start, error \(code)") }
        return pid
    }
}
