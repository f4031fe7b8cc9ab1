import Foundation
import Glibc

/// A folder for a socket, removed with its owner.
package final class TapFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/tap.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no folder: \(errno)") }
        path = String(cString: made)
        // Others can reach the socket in it; the socket's own mode decides.
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package var socket: String { path + "/tap" }
}
