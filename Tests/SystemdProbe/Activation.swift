import Glibc
import SystemPackage
import SystemdBridge

/// Takes over the sockets that it was started with.
enum Activation {
    static func run() {
        do throws(ActivationError) {
            for passed in try SocketActivation.take() {
                let isKept = fcntl(passed.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0
                print(
                    "\(passed.descriptor.rawValue) \(passed.name): \(passed.kind)\(isKept ? "" : ", open in children")"
                )
            }
            print("then \(try SocketActivation.take().count)")
        } catch {
            print("error: \(error)")
        }
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] where getenv(name) != nil { print("\(name) is set") }
    }
}
