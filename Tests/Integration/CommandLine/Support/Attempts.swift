/// For what has a time limit of its own, which a busy machine may keep from running until that limit is over. What it does
/// then is not what such a test is about, so the test tries again; what is wrong is wrong every time.
enum Attempts {
    /// The first answer that is as expected, or the last of five.
    /// - Parameter body: is given the number of the attempt, from 0 on.
    static func of<Answer: Equatable>(_ expected: Answer, _ body: (_ attempt: Int) throws -> Answer) throws -> Answer {
        for attempt in 0..<4 {
            let answer = try body(attempt)
            if answer == expected { return answer }
        }
        return try body(4)
    }

    /// Time limits for the attempts, short for the first, and so long in the end that no machine is as busy.
    static let limits: [(text: String, seconds: Double)] = [
        (text: "300ms", seconds: 0.3), ("2s", 2), ("10s", 10), ("60s", 60), ("300s", 300),
    ]
}
