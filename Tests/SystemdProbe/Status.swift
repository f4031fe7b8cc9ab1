import SystemdBridge

/// Tells the manager a status, and waits until it has been read.
enum Status {
    static func run(_ text: String) {
        do throws(NotifyError) {
            let manager = ServiceManager()
            print("told: \(try manager.notify(.status(text)))")
            try manager.barrier()
        } catch {
            print("error: \(error)")
        }
    }
}
