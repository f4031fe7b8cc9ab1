public import Bus

extension NotificationBus {
    /// Sends a request, and waits for the reply no longer than `timeout`. Cold: each subscription asks once.
    ///
    /// ```
    /// responder                         ------7|
    /// request(_:to:timeout: .seconds(9))  ------7|
    /// request(_:to:timeout: .seconds(3))  ---x
    /// ```
    ///
    /// - Ends: with the reply.
    /// - Fails: with `RequestError.timedOut` when the time is over, after the responder's signal was disposed of; else with another
    ///   `RequestError`.
    /// - Cancelling: tells the responder that nobody waits, and cancels the timer.
    /// - Thread: the responder's; the timeout comes on the scheduler's.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - topic: the topic.
    ///   - timeout: how long to wait, from subscribing.
    ///   - scheduler: measures the time.
    ///   - fileID: the place of the request, for subscribers that watch the topic.
    ///   - line: the same.
    public func request<Request: Sendable, Reply: Sendable>(
        _ request: Request,
        to topic: RequestTopic<Request, Reply>,
        timeout: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Reply, RequestError> {
        self.request(request, to: topic, fileID: fileID, line: line)
            .timeout(timeout, .total, failing: .timedOut(topic.name, after: timeout), on: scheduler)
    }
}
