import Foundation

/// Runs a system program and keeps its output.
enum Command {
    struct Result {
        var output: Data
        var status: Int32
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Waits for its end. The output of journalctl is that of a newer one, see ``Journalctl``. Its input goes through a file, so that
    /// neither side can block the other.
    static func run(_ path: String, _ arguments: [String], input: Data? = nil) throws -> Result {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let input {
            let file = folder.path("input")
            try input.write(to: URL(fileURLWithPath: file))
            process.standardInput = FileHandle(forReadingAtPath: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        if ([path] + arguments).contains(where: { $0 == "journalctl" || $0.hasSuffix("/journalctl") }) {
            data = try Journalctl.current(data)
        }
        return Result(output: data, status: process.terminationStatus)
    }
}
