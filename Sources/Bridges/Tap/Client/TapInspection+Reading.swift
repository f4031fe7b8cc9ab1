import Timers

/// Members of an object that must be there.
private struct RequiredMembers {
    private let members: JSONArguments

    init(_ text: [UInt8], _ names: [String]) throws(JSONArguments.WrongType) {
        guard let members = JSONArguments(text, named: names) else { throw JSONArguments.WrongType(name: names[0]) }
        self.members = members
    }

    func text(_ name: String) throws(JSONArguments.WrongType) -> String {
        guard let text = try members.text(name) else { throw JSONArguments.WrongType(name: name) }
        return text
    }

    /// Such that the sum of two is a number, too.
    func number(_ name: String) throws(JSONArguments.WrongType) -> Int {
        guard let number = try number(ifThere: name), number <= Int.max / 2 else {
            throw JSONArguments.WrongType(name: name)
        }
        return number
    }

    /// Not negative.
    func number(ifThere name: String) throws(JSONArguments.WrongType) -> Int? {
        let number = try members.number(name)
        guard number ?? 0 >= 0 else { throw JSONArguments.WrongType(name: name) }
        return number
    }

    func duration(ifThere name: String) throws(JSONArguments.WrongType) -> Duration? {
        try members.number(name).map { .nanoseconds($0) }
    }

    func flag(_ name: String) throws(JSONArguments.WrongType) -> Bool { try members.flag(name) }

    func text(ifThere name: String) throws(JSONArguments.WrongType) -> String? { try members.text(name) }

    func time(ifThere name: String) throws(JSONArguments.WrongType) -> TimerInstant? {
        try members.number(name).map { TimerInstant(nanoseconds: Int64($0)) }
    }

    /// A list of objects.
    func list<Element>(
        _ name: String,
        _ read: ([UInt8]) throws(JSONArguments.WrongType) -> Element
    ) throws(JSONArguments.WrongType) -> [Element] {
        guard let list = try list(ifThere: name, read) else { throw JSONArguments.WrongType(name: name) }
        return list
    }

    func list<Element>(
        ifThere name: String,
        _ read: ([UInt8]) throws(JSONArguments.WrongType) -> Element
    ) throws(JSONArguments.WrongType) -> [Element]? {
        guard let list = members.json(name) else { return nil }
        var elements: [Element] = []
        for element in JSONList.elements(of: list) { elements.append(try read(element)) }
        return elements
    }
}

extension TapInspection {
    init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let lists = ["topics", "subscribers", "subscriptions", "watches", "jobs"]
        let members = try RequiredMembers(
            text,
            ["product", "version", "pid", "uptime", "now", "timers", "subscription_count", "unheard_losses"] + lists
                + lists.map { "\($0)_more" }
        )
        product = try members.text("product")
        version = try members.text("version")
        pid = try members.number("pid")
        servedFor = .nanoseconds(try members.number("uptime"))
        uptime = .nanoseconds(try members.number("now"))
        timers = try members.number("timers")
        subscriptionCount = try members.number("subscription_count")
        unheardLosses = try members.number("unheard_losses")
        topics = try members.list("topics", Topic.init)
        subscribers = try members.list("subscribers", Subscriber.init)
        subscriptions = try members.list("subscriptions", Subscription.init)
        watches = try members.list("watches", Watch.init)
        // Programs of earlier versions do not list them.
        jobs = try members.list(ifThere: "jobs", Job.init) ?? []
        var isCut = false
        for list in lists where try members.flag("\(list)_more") { isCut = true }
        self.isCut = isCut
        json = text
    }
}

extension TapInspection.Topic {
    fileprivate init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let members = try RequiredMembers(
            text,
            ["name", "type", "posted", "subscribers", "pattern_subscribers", "kept", "lost"]
        )
        name = try members.text("name")
        type = try members.text("type")
        posted = try members.number("posted")
        subscribers = try members.number("subscribers")
        patternSubscribers = try members.number("pattern_subscribers")
        kept = try members.number("kept")
        lost = try members.number("lost")
    }
}

extension TapInspection.Subscriber {
    fileprivate init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let members = try RequiredMembers(
            text,
            [
                "topic", "scope", "file", "line", "waiting", "limit", "high_water", "paused", "lag", "lost",
                "delivered",
            ]
        )
        topic = try members.text("topic")
        scope = try members.text("scope")
        file = try members.text("file")
        line = try members.number("line")
        waiting = try members.number("waiting")
        limit = try members.number("limit")
        highWater = try members.number("high_water")
        paused = try members.duration(ifThere: "paused")
        lag = try members.duration(ifThere: "lag")
        lost = try members.number("lost")
        delivered = try members.number(ifThere: "delivered")
    }
}

extension TapInspection.Subscription {
    fileprivate init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let members = try RequiredMembers(text, ["chain", "file", "line"])
        chain = try members.text("chain")
        file = try members.text("file")
        line = try members.number("line")
    }
}

extension TapInspection.Watch {
    fileprivate init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let members = try RequiredMembers(text, ["pid", "uid", "pattern", "sent", "lost", "waiting"])
        pid = try members.number("pid")
        uid = try members.number("uid")
        pattern = try members.text("pattern")
        sent = try members.number("sent")
        lost = try members.number("lost")
        waiting = try members.number("waiting")
    }
}

extension TapInspection.Job {
    fileprivate init(_ text: [UInt8]) throws(JSONArguments.WrongType) {
        let members = try RequiredMembers(
            text,
            [
                "name", "schedule", "running", "waiting", "missed", "next", "last", "last_time", "lease", "grant",
                "holder", "fault",
            ]
        )
        name = try members.text("name")
        schedule = try members.text(ifThere: "schedule")
        running = try members.number("running")
        waiting = try members.number("waiting")
        missed = try members.number("missed")
        next = try members.time(ifThere: "next")
        last = try members.text(ifThere: "last")
        lastTime = try members.time(ifThere: "last_time")
        lease = try members.text(ifThere: "lease")
        grant = try members.number(ifThere: "grant")
        holder = try members.text(ifThere: "holder")
        fault = try members.text(ifThere: "fault")
    }
}
