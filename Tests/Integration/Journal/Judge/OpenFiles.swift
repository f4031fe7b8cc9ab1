import Foundation

/// The files that this process holds open.
enum OpenFiles {
    /// How many of them are in the folder.
    static func count(in folder: TemporaryFolder) throws -> Int {
        let table = "/proc/self/fd/"
        return try FileManager.default.contentsOfDirectory(atPath: table).count { descriptor in
            // A descriptor of another thread may be closed by now.
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: table + descriptor)
            return path?.hasPrefix(folder.path + "/") == true
        }
    }
}
