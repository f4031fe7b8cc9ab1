import Glibc

/// A started program whose standard output is read from a pipe.
struct PipedRun {
    let start: ContinuousClock.Instant
    private let text: String
    private let process: pid_t
    private let descriptor: CInt

    init(_ command: Command) throws {
        text = command.text
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Complaint("cannot make a pipe: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        descriptor = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var vector = command.arguments.map { strdup($0) }
        vector.append(nil)
        defer { for text in vector { free(text) } }
        var started = pid_t()
        start = .now
        let code = posix_spawnp(&started, command.arguments[0], &actions, nil, vector, environ)
        guard code == 0 else {
            close(ends[0])
            throw Complaint("cannot start \(text): \(String(cString: strerror(code)))")
        }
        process = started
    }

    /// Waits for output, and returns it.
    func read() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 { return Array(bytes.prefix(count)) }
            guard count < 0, errno == EINTR else { throw Complaint("\(text) ended before it printed a line") }
        }
    }

    /// Kills the process if it still runs.
    func end() {
        close(descriptor)
        kill(process, SIGKILL)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
