public import Foundation

/// The token that a notification centre returns for an observer. Disposing of it ends the observation.
@usableFromInline
struct Registration: @unchecked Sendable {
    // Foundation's token is an object without visible state; the centre, which is safe on any thread, compares it.
    private let token: any NSObjectProtocol
    // Not kept: a centre that is gone has no observers, and the handle of a subscription must not keep it.
    private weak let center: NotificationCenter?

    @usableFromInline
    init(_ token: any NSObjectProtocol, at center: NotificationCenter) {
        self.token = token
        self.center = center
    }

    @usableFromInline
    func end() { center?.removeObserver(token) }
}
