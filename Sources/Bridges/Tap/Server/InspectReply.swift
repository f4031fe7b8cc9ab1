import Bus
import Glibc
import Records
import Timers

/// Writes a program's description of itself in reply to `Inspect`. Each list has ``ReplyMembers/listLimit`` bytes at
/// most.
enum InspectReply {
    static func write(_ server: TapServer, to members: inout ReplyMembers) {
        let now = MonotonicTime.nanoseconds
        members.add("product", server.options.product)
        members.add("version", server.options.version)
        members.add("pid", getpid())
        members.add("uptime", now - server.opened)
        members.add("now", now)
        members.add("timers", TimerScheduler.sharedCount)
        members.add("subscription_count", Subscriptions.count)
        members.add("unheard_losses", Subscriptions.unheardLosses)
        topics(server.bus, &members)
        subscribers(server.bus, &members)
        subscriptions(&members)
        watches(server, &members)
        jobs(&members)
    }

    private static func topics(_ bus: NotificationBus, _ members: inout ReplyMembers) {
        let topics = bus.topics(matching: ">", after: nil, atMost: TapCalls.topicLimit)
        members.add("topics_more", members.add("topics", topics) < topics.count)
    }

    private static func subscribers(_ bus: NotificationBus, _ members: inout ReplyMembers) {
        let subscribers = bus.subscribers.sorted(by: hurtsMore)
        let count = members.add("subscribers", subscribers, limit: ReplyMembers.listLimit) { subscriber, members in
            members.add("topic", subscriber.topic)
            members.add("scope", cut(subscriber.scope))
            members.add("file", subscriber.location.fileID)
            members.add("line", subscriber.location.line)
            members.add("waiting", subscriber.waiting)
            members.add("limit", subscriber.limit)
            members.add("high_water", subscriber.highWater)
            if let paused = subscriber.paused { members.add("paused", paused.saturatedNanoseconds) }
            if let lag = subscriber.lag { members.add("lag", lag.saturatedNanoseconds) }
            members.add("lost", subscriber.lost)
            members.add("delivered", subscriber.delivered)
        }
        members.add("subscribers_more", count < subscribers.count)
    }

    /// The order of the list, so that its limit cuts off the least important subscribers.
    static func hurtsMore(_ a: SubscriberDescription, _ b: SubscriberDescription) -> Bool {
        (a.lost, a.lag ?? .zero, a.waiting) > (b.lost, b.lag ?? .zero, b.waiting)
    }

    private static func subscriptions(_ members: inout ReplyMembers) {
        let list = Subscriptions.list
        let count = members.add("subscriptions", list, limit: ReplyMembers.listLimit) { subscription, members in
            members.add("chain", cut("\(subscription.chain)"))
            members.add("file", subscription.location.fileID)
            members.add("line", subscription.location.line)
        }
        members.add("subscriptions_more", count < list.count)
    }

    private static func watches(_ server: TapServer, _ members: inout ReplyMembers) {
        let watching = server.watching
        let count = members.add("watches", watching, limit: ReplyMembers.listLimit) { connection, members in
            members.add("pid", connection.peer.process)
            members.add("uid", connection.peer.user)
            members.add("pattern", "\(connection.watch?.pattern ?? ">")")
            members.add("sent", connection.watch?.sent ?? 0)
            members.add("lost", connection.watch?.lost ?? 0)
            members.add("waiting", connection.waiting)
        }
        members.add("watches_more", count < watching.count)
    }

    private static func jobs(_ members: inout ReplyMembers) {
        let (jobs, isCut) = JobStatus.first(TapCalls.topicLimit)
        let count = members.add("jobs", jobs, limit: ReplyMembers.listLimit) { job, members in
            members.add("name", cut(job.name))
            if let schedule = job.schedule { members.add("schedule", cut(schedule)) }
            members.add("running", job.running)
            members.add("waiting", job.waiting)
            members.add("missed", job.missed)
            if let next = job.next { members.add("next", next.nanoseconds) }
            if let last = job.last {
                members.add("last", last.outcome)
                members.add("last_time", last.time.nanoseconds)
            }
            switch job.lease {
            case .held(let number):
                members.add("lease", "held")
                members.add("grant", number)
            case .wanted: members.add("lease", "wanted")
            case .unreachable: members.add("lease", "unreachable")
            case .idle: members.add("lease", "idle")
            case nil: break
            }
            if let holder = job.holder { members.add("holder", cut(holder)) }
            if let fault = job.fault { members.add("fault", cut(fault)) }
        }
        members.add("jobs_more", isCut || count < jobs.count)
    }

    /// A text that the program chose, at a length that a list can hold.
    private static func cut(_ text: String) -> String {
        text.utf8.count <= 1024 ? text : String(decoding: text.utf8.prefix(1024), as: UTF8.self) + "…"
    }
}

extension ReplyMembers {
    /// Bytes of a list in one reply.
    static let listLimit = 128 << 10

    /// A list of topics; returns how many were written.
    mutating func add(_ name: StaticString, _ topics: [TopicDescription]) -> Int {
        add(name, topics, limit: Self.listLimit) { topic, members in
            members.add("name", topic.name.text)
            members.add("type", topic.valueType)
            members.add("posted", topic.posted)
            members.add("subscribers", topic.subscribers)
            members.add("pattern_subscribers", topic.patternSubscribers)
            members.add("kept", topic.kept)
            members.add("lost", topic.lost)
        }
    }
}
