import Testing

@testable import SystemdBridge

@Suite("When a watchdog pings")
struct PingPlanTests {
    /// Runs a plan over quarters: `x` marks a quarter in which something has stalled, `!` one in which nothing can be
    /// sent.
    private func run(_ quarters: String, _ action: StallAction) -> String {
        var plan = PingPlan(whenStalled: action)
        return String(
            quarters.map { quarter in
                let action = plan.quarter(isStalled: quarter == "x")
                if quarter != "!" { plan.done(action) }
                switch action {
                case .none: return "-"
                case .ping: return "p"
                case .withhold: return "w"
                case .trigger: return "t"
                }
            }
        )
    }

    @Test(arguments: [
        (".......", "p-p-p-p"),
        ("..xxx...", "p-wwwp-p"),
        (".x....", "pwp-p-"),
        ("..!....", "p-pp-p-"),
        ("!!!..", "pppp-"),
        ("xx.", "wwp"),
    ])
    func withholding(_ quarters: String, _ expected: String) {
        #expect(run(quarters, .withhold) == expected)
    }

    @Test(arguments: [
        ("..xxx...xx", "p-t--p-pt-"),
        ("xx.x", "t-pt"),
    ])
    func triggering(_ quarters: String, _ expected: String) {
        #expect(run(quarters, .trigger) == expected)
    }
}
