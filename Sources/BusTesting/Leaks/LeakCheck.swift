import Bus

/// Reports what is left of a block of code when it is over: objects, subscriptions to its sources, subscriptions
/// anywhere.
///
/// ```swift
/// import Bus
/// import BusTesting
///
/// let left = LeakCheck.leftovers { check in
///     let readings = check.source("readings", of: Int.self)
///     let total = Subject(of: Int.self)
///     check.watch(total, "the total")
///     let subscription = readings.scan(0) { $0 + $1 }.subscribe(next: { total.send($0) })
///     readings.send(1)
///     subscription.dispose()
/// }
/// assert(left == [])
/// ```
///
/// Objects and sources that the block must release are watched, which is exact whatever else the program does.
/// Subscriptions can also be counted: then the subscriptions of a part of the program are compared before and after.
/// Other tests that run at the same time may add to them.
public final class LeakCheck {
    private struct Watched {
        weak var object: AnyObject?
        let name: String
    }

    private var watched: [Watched] = []
    private var sources: [(name: String, log: SubscriptionLog)] = []

    private init() {}

    /// Watches an object: it must be gone when the block is over.
    ///
    /// - Parameters:
    ///   - object: the object; it is not kept.
    ///   - name: its name in the report; its type by default.
    public func watch(_ object: AnyObject, _ name: String? = nil) {
        watched.append(Watched(object: object, name: name ?? "\(type(of: object))"))
    }

    /// An object for the block's closures to capture: it must be released, and so must every chain whose closures
    /// hold it.
    ///
    /// - Parameter name: its name in the report.
    public func canary(_ name: String = "a closure's canary") -> Canary {
        let canary = Canary()
        watch(canary, name)
        return canary
    }

    /// A hot source that must have no subscriptions when the block is over.
    ///
    /// - Parameters:
    ///   - name: its name in the report.
    ///   - type: the type of its values.
    ///   - failure: the type of its failure.
    public func source<Value: Sendable, Failure: Error>(
        _ name: String,
        of type: Value.Type = Value.self,
        failure: Failure.Type = Never.self
    ) -> ProbeSource<Value, Failure> {
        let source = ProbeSource(of: Value.self, failure: Failure.self)
        sources.append((name, source.log))
        return source
    }

    /// Captured by closures, to check whether they are released.
    public final class Canary: Sendable {}

    /// Runs `body` and reports, in words, what is left of it; empty when nothing is.
    ///
    /// - Parameters:
    ///   - folder: counts the subscriptions made in files whose `#fileID` begins with this text: "MyDaemon/" counts
    ///     those of a module, "" all. By default none are counted. In a release build there is no list of them, so
    ///     all are counted.
    ///   - settle: runs after `body`, and returns when work elsewhere on its behalf is over.
    ///   - body: the code; its local variables are released when it returns.
    /// - Throws: the error of `body`. Nothing is reported then.
    public static func leftovers(
        countingSubscriptionsIn folder: String? = nil,
        settle: () -> Void = {},
        _ body: (LeakCheck) throws -> Void
    ) rethrows -> [String] {
        let check = LeakCheck()
        let before = SubscriptionCensus(folder)
        try body(check)
        settle()
        return check.leftovers + SubscriptionCensus(folder).beyond(before)
    }

    /// Runs `body` and reports what is left of it. See ``leftovers(countingSubscriptionsIn:settle:_:)``. Cancelling the task
    /// changes nothing here: only `body` and `settle` see it.
    ///
    /// - Throws: the error of `body`. Nothing is reported then.
    public static func leftovers(
        isolation: isolated (any Actor)? = #isolation,
        countingSubscriptionsIn folder: String? = nil,
        settle: () async -> Void = {},
        _ body: (LeakCheck) async throws -> Void
    ) async rethrows -> [String] {
        let check = LeakCheck()
        let before = SubscriptionCensus(folder)
        try await body(check)
        await settle()
        return check.leftovers + SubscriptionCensus(folder).beyond(before)
    }

    private var leftovers: [String] {
        watched.filter { $0.object != nil }.map { "\($0.name) is left" }
            + sources.filter { $0.log.live > 0 }.map { "\($0.log.live) subscriptions to \($0.name) are left" }
    }
}
