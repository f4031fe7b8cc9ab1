import Glibc

/// The names that the kernel's messages give to devices: `b8:1` for a device with a number, and `+usb:1-2` for each.
enum DeviceName {
    /// Those of the device with this status, and then of the devices that it is a part of, as `/sys` shows them.
    static func all(of status: stat) -> [String] {
        let isBlock = status.st_mode & S_IFMT == S_IFBLK
        let number = number(status.st_rdev)
        var names = ["\(isBlock ? "b" : "c")\(number)"]
        guard let resolved = realpath("/sys/dev/\(isBlock ? "block" : "char")/\(number)", nil) else { return names }
        defer { free(resolved) }
        var parts = String(cString: resolved).split(separator: "/")
        // Those in /sys/devices itself are not devices.
        while parts.count > 2 {
            for name in self.names(at: "/" + parts.joined(separator: "/")) where !names.contains(name) {
                names.append(name)
            }
            parts.removeLast()
        }
        return names
    }

    /// None if the folder is not that of a device.
    private static func names(at folder: String) -> [String] {
        guard let resolved = realpath(folder + "/subsystem", nil) else { return [] }
        defer { free(resolved) }
        guard let subsystem = String(cString: resolved).split(separator: "/").last,
            let name = folder.split(separator: "/").last
        else { return [] }
        let number = String(decoding: FileBeginning.bytes(of: folder + "/dev", 32), as: UTF8.self)
            .prefix { $0.isNumber || $0 == ":" }
        // A slash in a device's name is written otherwise in that of a file.
        return ["+\(subsystem):\(name.replacing("!", with: "/"))"]
            + (number.isEmpty ? [] : ["\(subsystem == "block" ? "b" : "c")\(number)"])
    }

    /// The two parts of a device's number, which glibc's macros take apart.
    private static func number(_ number: dev_t) -> String {
        let major = (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000
        let minor = number & 0xFF | (number >> 12) & 0xFFFF_FF00
        return "\(major):\(minor)"
    }
}
