import Glibc
import SystemdBridge

/// Takes over the sockets that it was started with.
enum Activation {
    static func run() {
        do throws(ActivationError) {
            for descriptor in try SocketActivation.take() {
                let isKept = fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0
                print(
                    "\(descriptor.number) \(descriptor.name): \(descriptor.kind)\(isKept ? "" : ", open in children")"
                )
            }
            print("then \(try SocketActivation.take().count)")
        } catch {
            print("error: \(error)")
        }
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] where getenv(name) != nil { print("\(name) is set") }
    }
}
