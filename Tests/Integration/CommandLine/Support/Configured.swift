import Foundation
import TestSupport

/// The real `busctl-rx` with a configuration file, reading entries with the messages "number 0" to "number 2".
struct Configured {
    let folder: TemporaryFolder
    let path: String

    init(_ text: String) throws {
        try self.init(Data(text.utf8))
    }

    init(_ bytes: Data) throws {
        folder = try TemporaryFolder()
        path = folder.path("config")
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    func run(_ arguments: String...) throws -> TailProcess.Ended { try run(arguments) }

    func run(_ arguments: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(
            arguments,
            input: Export.numbers(0..<3),
            environment: ["LANG": "C", "TZ": "UTC", "BUSCTL_RX_CONFIG": path]
        )
    }
}
