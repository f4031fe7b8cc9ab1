import Glibc
import SystemPackage

/// The signal descriptors of this process, from /proc.
enum SignalReaders {
    /// The descriptors that read some of the signals, other than this package's own.
    static func others(of signals: SignalBits) throws(OSSignalError) -> [OSSignalReadiness.Reader] {
        while true {
            let own = OSSignalHub.shared.ownDescriptors
            let found = try find(signals, except: own)
            // A descriptor found may be one of ours that was opened meanwhile; then it is looked for again.
            if found.isEmpty || own == OSSignalHub.shared.ownDescriptors { return found }
        }
    }

    private static func find(
        _ signals: SignalBits,
        except own: OSSignalHub.OwnDescriptors
    ) throws(OSSignalError) -> [OSSignalReadiness.Reader] {
        try ProcessFiles.numbers(in: "/proc/self/fd").compactMap { descriptor in
            guard descriptor != own.descriptor, descriptor != own.closing, isSignalDescriptor(descriptor),
                let mask = ProcessFiles.signals(
                    "sigmask",
                    in: ProcessFiles.bytes(of: "/proc/self/fdinfo/\(descriptor)")
                )
            else { return nil }
            let shared = signals.intersection(mask)
            return shared.isEmpty
                ? nil : .init(descriptor: FileDescriptor(rawValue: descriptor), numbers: Set(shared.numbers))
        }
    }

    private static func isSignalDescriptor(_ descriptor: CInt) -> Bool {
        let kind = Array("anon_inode:[signalfd]".utf8)
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        return count == kind.count && bytes.prefix(count).elementsEqual(kind.lazy.map { CChar(bitPattern: $0) })
    }
}
