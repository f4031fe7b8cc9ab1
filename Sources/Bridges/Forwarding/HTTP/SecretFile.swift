import Glibc

/// A file whose contents are secret.
enum SecretFile {
    /// A warning about a file's permissions, for a person; `nil` if there is none to give.
    ///
    /// The group may read it: systemd shows the access of a service to its credentials as the group's.
    static func warning(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IROTH != 0 else {
            return nil
        }
        return "every user can read \(path), which holds secrets; take that permission away with chmod o-r"
    }
}
