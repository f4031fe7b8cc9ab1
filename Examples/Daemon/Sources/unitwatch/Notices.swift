import Bridges
import Bus
import Foundation

/// How the parts of the daemon that do not know each other hear of errors: as in many programs, by NotificationCenter.
enum Notices {
    private static let failure = Notification.Name("UnitFailed")

    static func post(_ message: String) {
        NotificationCenter.default.post(
            name: failure,
            object: nil,
            userInfo: [NotificationCenter.valueKey: message]
        )
    }

    static func failures() -> some Signal<String, Never> {
        NotificationCenter.default.notifications(named: failure, carrying: String.self)
    }
}
