import Foundation

/// Small files that are read whole.
enum TextFile {
    static func read(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    static func bytes(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Complaint("cannot read \(path): \(error.localizedDescription)")
        }
    }
}
