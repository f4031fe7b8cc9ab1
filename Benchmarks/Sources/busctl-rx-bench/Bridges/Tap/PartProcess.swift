import Glibc

/// A process that does part of a measurement: this program, started again with other arguments. Its standard output is
/// read here.
final class PartProcess {
    let id: pid_t
    private let output: CInt

    init(_ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Complaint("cannot make a pipe: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let program = "/proc/self/exe"
        var vector = ([program] + arguments).map { strdup($0) }
        vector.append(nil)
        defer { for text in vector { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, vector, environ)
        guard code == 0 else {
            close(ends[0])
            throw Complaint("cannot start \(arguments.joined(separator: " ")): \(String(cString: strerror(code)))")
        }
        (id, output) = (process, ends[0])
    }

    deinit {
        close(output)
        kill(id, SIGKILL)
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }

    /// Returns when the process has written another byte.
    func waitForByte() throws {
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count == 1 { return }
            guard count < 0, errno == EINTR else {
                throw Complaint("a process that does a part of the measurement has ended")
            }
        }
    }

    /// Writes a byte. Called in the process itself.
    static func acknowledge() {
        var byte: UInt8 = 1
        // If the benchmark has ended, there is no reader, and SIGPIPE ends this process.
        _ = Glibc.write(STDOUT_FILENO, &byte, 1)
    }
}
