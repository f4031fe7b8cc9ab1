import CLinux
import Glibc

/// The value of `--file`: a path, or a pattern for paths as shells have it.
package enum FilePattern {
    /// The existing files, in the order of their names. A path that exists is no pattern, and one that nothing matches stays
    /// as it is.
    package static func paths(of pattern: String) -> [String] {
        guard pattern.contains(where: { "*?[".contains($0) }), access(pattern, F_OK) != 0 else { return [pattern] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, GLOB_NOCHECK, nil, &found) == 0, let paths = found.gl_pathv else { return [pattern] }
        // glob has written so many strings, which live until globfree.
        return (0..<Int(found.gl_pathc)).compactMap { index in paths[index].map { String(cString: $0) } }
    }
}
