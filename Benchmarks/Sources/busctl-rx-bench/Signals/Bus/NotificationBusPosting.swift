import Bus
import Foundation

extension Topic where Value == Int {
    fileprivate static let number = Topic("bench.number")
}

extension Benchmark {
    /// Posting on a bus: by name and through a poster, to subscribers of the topic and of patterns, on small and large buses.
    static let bus = Benchmark(name: "bus") { settings, report in
        let poster = try posting("bus, poster, 1 subscriber", { poster, _ in { poster.post($0) } }).run(settings)
        report.add(
            poster,
            bounds: [
                Bound(name: poster.name, limit: .timesFloor(atMost: 2)),
                Bound(name: poster.name, limit: .timesFaster(than: "NotificationCenter", atLeast: 5)),
            ]
        )
        let byName = try posting("bus, by name, 1 subscriber", { _, bus in { bus.post($0, to: .number) } }).run(
            settings
        )
        report.add(
            byName,
            bounds: [
                Bound(name: byName.name, limit: .median(atMost: poster.ours.median + 100)),
                Bound(name: byName.name, limit: .timesFaster(than: "NotificationCenter", atLeast: 5)),
            ]
        )
        var ofTen: Double?
        for listeners in [10, 10_000] {
            let bus = NotificationBus()
            let poster = bus.poster(for: .number)
            let subject = Subject(of: Int.self)
            let contest = Contest.fanout(
                "bus",
                listeners: listeners,
                ours: .ours(bus.signal(for: .number), listeners: listeners, send: { poster.post($0) }),
                floor: .ours(subject, listeners: listeners, send: { subject.send($0) })
            )
            let standing = try contest.run(settings).perSubscriber(listeners)
            // Each of this many subscribers is read from memory again. Their number adds no other cost.
            let limit = ofTen.map { Bound.Limit.median(atMost: 1.5 * $0) } ?? .timesFloor(atMost: 2)
            ofTen = standing.ours.median
            report.add(standing, bounds: [Bound(name: contest.name, limit: limit)])
            withExtendedLifetime(bus) {}
        }
        let few = try crowded("bus, 10 topics and 10 patterns", topics: 10, patterns: 10).run(settings)
        let many = try crowded("bus, 10,000 topics and 1,000 patterns", topics: 10_000, patterns: 1_000).run(settings)
        report.add(few)
        // The number of patterns adds no cost. When this many topics and subjects are posted on in turn, none is in a
        // cache. A topic takes three times as much memory as a subject.
        let memory = (many.floor?.median ?? .nan) - (few.floor?.median ?? .nan)
        report.add(
            many,
            bounds: [Bound(name: many.name, limit: .median(atMost: 1.1 * few.ours.median + 3 * memory))]
        )
    }

    /// Numbers for one subscriber, compared with a bare subject and NotificationCenter.
    private static func posting(
        _ name: String,
        _ send: (TopicPoster<Int>, NotificationBus) -> (Int) -> Void
    ) -> Contest {
        let bus = NotificationBus()
        let subject = Subject(of: Int.self)
        let ours = FanoutRig.ours(bus.signal(for: .number), listeners: 1, send: send(bus.poster(for: .number), bus))
        let floor = FanoutRig.ours(subject, listeners: 1, send: { subject.send($0) })
        let center = FanoutRig.notificationCenter()
        return Contest(
            name: name,
            events: 4_000_000,
            expected: { Tally.ofNumbers(below: $0) },
            contenders: [
                .ours { count in withExtendedLifetime(bus) { ours.run(count) } },
                .floor("a subject", floor.run),
                .instead("NotificationCenter", fewer: 20, center.run),
            ]
        )
    }

    /// One subscriber to a pattern that matches all topics, and others to patterns that match none. The topics are
    /// posted on in turn, compared with as many subjects.
    private static func crowded(_ name: String, topics: Int, patterns: Int) -> Contest {
        let bus = NotificationBus()
        let (ours, floor) = (Sum(), Sum())
        let posters = (0..<topics).compactMap { number in
            (try? Topic<Int>(checking: "group\(number % 10).device\(number).value")).map { bus.poster(for: $0) }
        }
        let handles = CompoundDisposable()
        for number in 0..<patterns {
            // They share their beginnings with the existing topics.
            guard let pattern = try? TopicPattern(checking: "group\(number % 10).*.none\(number)") else { continue }
            bus.envelopes(matching: pattern).subscribe(next: { _ in }).store(in: handles)
        }
        bus.envelopes(matching: "*.*.value", of: Int.self).subscribe(next: { ours.add($0.value) }).store(in: handles)
        let subjects = (0..<topics).map { _ in Subject(of: Int.self) }
        for subject in subjects { subject.subscribe(next: { floor.add($0) }).store(in: handles) }
        let rig = FanoutRig(
            runWhole: { count in for number in 0..<count { posters[number % posters.count].post(number) } },
            total: { withExtendedLifetime((bus, handles)) { ours.value } }
        )
        let bare = FanoutRig(
            runWhole: { count in for number in 0..<count { subjects[number % subjects.count].send(number) } },
            total: { floor.value }
        )
        return Contest(
            name: name,
            events: 4_000_000,
            expected: { Tally.ofNumbers(below: $0) },
            contenders: [.ours(rig.run), .floor("as many subjects", bare.run)]
        )
    }
}

extension FanoutRig {
    /// The usual way without a bus: a number in a notification's user info.
    fileprivate static func notificationCenter() -> FanoutRig {
        let center = NotificationCenter()
        let name = Notification.Name("bench.number")
        let sum = Sum()
        let token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let number = notification.userInfo?["number"] as? Int { sum.add(number) }
        }
        return FanoutRig(
            send: { center.post(name: name, object: nil, userInfo: ["number": $0]) },
            total: { withExtendedLifetime(token) { sum.value } }
        )
    }
}
