import Glibc

/// The names in a directory. They are bytes: not every name is text.
package enum DirectoryNames {
    /// Calls `body` with each name and the inode that it stands for, until it returns false. `.` and `..` are among them.
    ///
    /// - Returns: the system's error code, where the directory cannot be read to its end; else 0.
    package static func forEach(
        in directory: UnsafePointer<CChar>,
        _ body: (_ name: UnsafeRawBufferPointer, _ inode: UInt64) -> Bool
    ) -> CInt {
        guard let stream = opendir(directory) else { return errno }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno }
            let inode = UInt64(entry.pointee.d_ino)
            // d_name ends with a zero byte inside the entry that readdir just filled in.
            let goesOn = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                body(UnsafeRawBufferPointer(rebasing: name.prefix { $0 != 0 }), inode)
            }
            guard goesOn else { return 0 }
        }
    }
}
