import Bridges
import Bus
import Foundation

/// How the parts of the daemon that do not know each other hear of errors: as in many programs, by NotificationCenter.
enum Notices {
    private static let failure = Notification.Name("UnitFailed")

    static func post(_ message: String) {
        NotificationCenter.default.post(name: failure, object: nil, userInfo: ["value": message])
    }

    static func failures() -> some Signal<String, Never> {
        Signals.create(of: String.self) { emitter in
            nonisolated(unsafe) let token = NotificationCenter.default.addObserver(forName: failure, object: nil, queue: nil) {
                if let message = $0.userInfo?["value"] as? String { emitter.next(message) }
            }
            return ActionDisposable { NotificationCenter.default.removeObserver(token) }
        }
    }
}
