import TapBridge
import Timers

/// Writes a tap's description of its program for a person.
struct InspectText {
    /// The previous description, to show changes; nil the first time.
    let before: TapInspection?
    /// How many rows a list has at most.
    let rows: Int

    func text(of now: TapInspection) -> String {
        ([head(now)]
            + [topics(now), subscribers(now), watches(now), jobs(now), subscriptions(now)].filter { !$0.isEmpty })
            .joined(separator: "\n")
    }

    private func head(_ now: TapInspection) -> String {
        let name = OneLine.of([now.product, now.version].filter { !$0.isEmpty }.joined(separator: " "))
        var parts = [
            "process \(now.pid)", "served for \(Self.text(now.servedFor))", "\(now.timers) timers",
            "\(now.subscriptionCount) subscriptions",
        ]
        if now.unheardLosses > 0 { parts.append("\(now.unheardLosses) values lost that nobody was told of") }
        if now.isCut { parts.append("lists cut") }
        return "\(name): \(parts.joined(separator: ", "))\n"
    }

    private func topics(_ now: TapInspection) -> String {
        var table = TextTable([
            .init(title: "TOPIC"), .init(title: "POSTED", isNumber: true), .init(title: "/S", isNumber: true),
            .init(title: "SUBSCRIBERS", isNumber: true), .init(title: "KEPT", isNumber: true),
            .init(title: "LOST", isNumber: true), .init(title: "TYPE"),
        ])
        let posted = Dictionary((before?.topics ?? []).map { ($0.name, $0.posted) }) { first, _ in first }
        func since(_ topic: TapInspection.Topic) -> Int { max(0, topic.posted - (posted[topic.name] ?? 0)) }
        let busiest = now.topics.sorted { (since($0), $0.posted, $1.name) > (since($1), $1.posted, $0.name) }
        for topic in busiest.prefix(rows) {
            table.add([
                topic.name, "\(topic.posted)", rate(since(topic), now),
                "\(topic.subscribers + topic.patternSubscribers)",
                "\(topic.kept)", "\(topic.lost)", topic.type,
            ])
        }
        return Self.text(table, of: now.topics.count, rows)
    }

    private func subscribers(_ now: TapInspection) -> String {
        var table = TextTable([
            .init(title: "SUBSCRIBER"), .init(title: "SENT", isNumber: true), .init(title: "/S", isNumber: true),
            .init(title: "WAITING", isNumber: true), .init(title: "LIMIT", isNumber: true),
            .init(title: "MOST", isNumber: true), .init(title: "PAUSED", isNumber: true),
            .init(title: "LAG", isNumber: true), .init(title: "LOST", isNumber: true), .init(title: "MADE AT"),
        ])
        let sent = Dictionary((before?.subscribers ?? []).map { ($0.place, $0.delivered) }) { _, _ in nil }
        let places = Dictionary(now.subscribers.map { ($0.place, 1) }, uniquingKeysWith: +)
        for subscriber in now.subscribers.prefix(rows) {
            let scope = subscriber.scope.isEmpty ? "" : " in \(subscriber.scope)"
            // Subscribers that were made at one place cannot be told apart from one report to the next.
            let isAlone = places[subscriber.place] == 1
            let since = subscriber.delivered.flatMap { now in
                isAlone ? sent[subscriber.place].flatMap { $0 }.map { max(0, now - $0) } : nil
            }
            table.add([
                subscriber.topic + scope, subscriber.delivered.map { "\($0)" } ?? "-",
                since.map { rate($0, now) } ?? "-", "\(subscriber.waiting)", "\(subscriber.limit)",
                "\(subscriber.highWater)", subscriber.paused.map(Self.text) ?? "-",
                subscriber.lag.map(Self.text) ?? "-", "\(subscriber.lost)", "\(subscriber.file):\(subscriber.line)",
            ])
        }
        return Self.text(table, of: now.subscribers.count, rows)
    }

    private func watches(_ now: TapInspection) -> String {
        var table = TextTable([
            .init(title: "WATCH"), .init(title: "PROCESS", isNumber: true), .init(title: "USER", isNumber: true),
            .init(title: "SENT", isNumber: true), .init(title: "LOST", isNumber: true),
            .init(title: "BYTES WAITING", isNumber: true),
        ])
        for watch in now.watches.prefix(rows) {
            table.add([
                watch.pattern, "\(watch.pid)", "\(watch.uid)", "\(watch.sent)", "\(watch.lost)", "\(watch.waiting)",
            ])
        }
        return Self.text(table, of: now.watches.count, rows)
    }

    private func jobs(_ now: TapInspection) -> String {
        var table = TextTable([
            .init(title: "JOB"), .init(title: "NEXT"), .init(title: "RUNNING", isNumber: true),
            .init(title: "WAITING", isNumber: true), .init(title: "MISSED", isNumber: true), .init(title: "LAST"),
            .init(title: "LEASE"), .init(title: "SCHEDULE"),
        ])
        for job in now.jobs.prefix(rows) {
            let lease = [job.lease, job.grant.map { "\($0)" }, job.holder.map { "(\($0) has it)" }]
                .compactMap { $0 }.joined(separator: " ")
            let last = [job.last, job.lastTime.map(\.iso8601)].compactMap { $0 }.joined(separator: " ")
            table.add([
                job.name, job.next.map(\.iso8601) ?? "-", "\(job.running)", "\(job.waiting)", "\(job.missed)",
                job.fault ?? (last.isEmpty ? "-" : last), lease.isEmpty ? "-" : lease, job.schedule ?? "-",
            ])
        }
        return Self.text(table, of: now.jobs.count, rows)
    }

    private func subscriptions(_ now: TapInspection) -> String {
        var table = TextTable([.init(title: "SUBSCRIPTION"), .init(title: "MADE AT")])
        for subscription in now.subscriptions.prefix(rows) {
            table.add([subscription.chain, "\(subscription.file):\(subscription.line)"])
        }
        return Self.text(table, of: now.subscriptions.count, rows)
    }

    // MARK: Words

    private static func text(_ table: TextTable, of count: Int, _ rows: Int) -> String {
        guard !table.isEmpty else { return "" }
        return table.text + (count > rows ? "(\(count - rows) more)\n" : "")
    }

    /// Values a second since the time before.
    private func rate(_ count: Int, _ now: TapInspection) -> String {
        guard let before else { return "-" }
        let seconds = (now.servedFor - before.servedFor).seconds
        // The program was started anew.
        guard seconds > 0, before.pid == now.pid else { return "-" }
        let rate = Double(count) / seconds
        return rate < 10 && rate > 0 ? "\((rate * 10).rounded() / 10)" : "\(Int(min(rate, 1e18).rounded()))"
    }

    /// `12ms`, `3.2s`, `4m10s`, `2h5m`, `3d4h`.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.seconds
        let whole = Int(seconds)
        switch seconds {
        case ..<1: return "\(Int((seconds * 1000).rounded(.down)))ms"
        case ..<60: return "\((seconds * 10).rounded(.down) / 10)s"
        case ..<3600: return "\(whole / 60)m\(whole % 60)s"
        case ..<86_400: return "\(whole / 3600)h\(whole % 3600 / 60)m"
        default: return "\(whole / 86_400)d\(whole % 86_400 / 3600)h"
        }
    }
}

extension TapInspection.Subscriber {
    /// Its identity from one report to the next.
    fileprivate var place: [String] { [topic, scope, file, "\(line)"] }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
