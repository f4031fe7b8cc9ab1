import Glibc

/// The signal descriptors of this process, as /proc tells them.
enum SignalReaders {
    /// Those that read some of the signals, other than this package's own.
    static func others(of signals: SignalBits) throws(OSSignalError) -> [OSSignalReadiness.Reader] {
        let own = OSSignalHub.shared.descriptor
        return try ProcessFiles.numbers(in: "/proc/self/fd").compactMap { descriptor in
            guard descriptor != own, isSignalDescriptor(descriptor),
                let mask = ProcessFiles.signals(
                    "sigmask",
                    in: ProcessFiles.bytes(of: "/proc/self/fdinfo/\(descriptor)")
                )
            else { return nil }
            let shared = signals.intersection(mask)
            return shared.isEmpty ? nil : .init(descriptor: descriptor, numbers: Set(shared.numbers))
        }
    }

    private static func isSignalDescriptor(_ descriptor: CInt) -> Bool {
        let kind = Array("anon_inode:[signalfd]".utf8)
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        return count == kind.count && bytes.prefix(count).elementsEqual(kind.lazy.map { CChar(bitPattern: $0) })
    }
}
