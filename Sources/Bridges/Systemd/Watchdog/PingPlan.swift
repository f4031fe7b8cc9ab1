/// The actions of a watchdog at each quarter of its time.
struct PingPlan: Sendable {
    enum Action: Equatable {
        case none, ping, withhold, trigger
    }

    private let whenStalled: StallAction
    /// Quarters until a ping is due; pings come at half the time, and a late or failed ping follows at the next
    /// quarter.
    private var quartersLeft = 0
    private var isTriggered = false

    init(whenStalled: StallAction) {
        self.whenStalled = whenStalled
    }

    mutating func quarter(isStalled: Bool) -> Action {
        quartersLeft = max(0, quartersLeft - 1)
        if isStalled {
            quartersLeft = 0
            guard whenStalled == .trigger else { return .withhold }
            return isTriggered ? .none : .trigger
        }
        isTriggered = false
        return quartersLeft == 0 ? .ping : .none
    }

    /// The action of this quarter was carried out.
    mutating func done(_ action: Action) {
        switch action {
        case .ping: quartersLeft = 2
        case .trigger: isTriggered = true
        case .none, .withhold: break
        }
    }
}
