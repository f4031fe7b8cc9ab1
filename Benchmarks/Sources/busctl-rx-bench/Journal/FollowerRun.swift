import Foundation

/// Sends messages while followers read, all on this thread.
struct FollowerRun {
    let journald: PrivateJournald
    let followers: [Follower]

    /// Sends until every follower has written something.
    func attach() throws {
        for number in 0..<100 {
            try journald.send("attach-\(number)")
            try read(until: .now + .milliseconds(100))
            // Anything older than 400 ms has to be written before the measured messages arrive.
            if followers.allSatisfy({ !$0.arrivals.isEmpty }) { return try read(until: .now + .seconds(1)) }
        }
        let silent = followers.filter { $0.arrivals.isEmpty }.map(\.name).joined(separator: ", ")
        throw Complaint("follower: nothing came from \(silent) within ten seconds")
    }

    /// When each message was sent.
    func send(
        _ count: Int,
        apart interval: Duration
    ) throws -> [(message: String, time: ContinuousClock.Instant)] {
        var sent: [(message: String, time: ContinuousClock.Instant)] = []
        for number in 0..<count {
            let message = "measured-\(number)"
            let time = ContinuousClock.now
            sent.append((message, time))
            try journald.send(message)
            try read(until: time + interval)
        }
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline, let last = sent.last?.message,
            followers.contains(where: { $0.arrivals[last] == nil })
        {
            try read(until: .now + .milliseconds(20))
        }
        return sent
    }

    /// How often each follower was woken each second while nothing was written, from five seconds after the last
    /// message on.
    func wakesAtRest(for duration: Duration) throws -> [Double] {
        try read(until: .now + .seconds(5))
        let before = try followers.map { try $0.sleeps() }
        let start = ContinuousClock.now
        try read(until: start + duration)
        let seconds = (ContinuousClock.now - start).nanoseconds / 1e9
        return try zip(followers, before).map { Double(try $0.sleeps() - $1) / seconds }
    }

    private func read(until deadline: ContinuousClock.Instant) throws {
        while true {
            let left = (deadline - .now).nanoseconds / 1e6
            guard left > 0 else { return }
            var polled = followers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), CInt(left.rounded(.up))) > 0 else { continue }
            for (follower, entry) in zip(followers, polled) where entry.revents != 0 { try follower.read() }
        }
    }
}
