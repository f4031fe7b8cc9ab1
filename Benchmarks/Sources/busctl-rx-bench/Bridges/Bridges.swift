import Bus
import Dispatch
import DispatchBridge
import Foundation
import NotificationBridge

extension Benchmark {
    /// The cost that the bridges add to the mechanisms they connect.
    static let bridges = Benchmark(name: "bridges") { settings, report in
        let bound = Bound(name: "bridge", limit: .aboveFloor(atMost: 100))
        report.add(try notifications.run(settings), bounds: [bound])
        report.add(try dispatchSource.run(settings), bounds: [bound])
        report.add(try cCallback.run(settings), bounds: [bound])
    }

    /// Notifications of one name, with a number in them, to one listener.
    private static var notifications: Contest {
        Contest(
            name: "NotificationCenter",
            events: 400_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let center = NotificationCenter()
                        let numbers = center.notifications(named: name) { $0.userInfo?["number"] as? Int }
                        let subscription = numbers.subscribe(next: { tally.add($0) })
                        post(count, to: center)
                        subscription.dispose()
                    }
                },
                .floor("a bare observer") { count in
                    Tally.of { tally in
                        let center = NotificationCenter()
                        let token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                            if let number = notification.userInfo?["number"] as? Int { tally.add(number) }
                        }
                        post(count, to: center)
                        center.removeObserver(token)
                    }
                },
            ]
        )
    }

    private static let name = Notification.Name("busctl-rx-bench")

    private static func post(_ count: Int, to center: NotificationCenter) {
        for number in 0..<count { center.post(name: name, object: nil, userInfo: ["number": number]) }
    }

    /// Events of one data source. Each is sent when the previous one has been heard.
    private static var dispatchSource: Contest {
        Contest(
            name: "Dispatch data source",
            events: 100_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let heard = DispatchSemaphore(value: 0)
                        let source = DispatchMergeSource(.replacing, on: DispatchQueue(label: "bench"))
                        let subscription = source.subscribe(next: { number in
                            tally.add(Int(number) - 1)
                            heard.signal()
                        })
                        for number in 0..<count {
                            source.send(UInt(number + 1))
                            heard.wait()
                        }
                        subscription.dispose()
                    }
                },
                .floor("a bare source") { count in
                    Tally.of { tally in
                        let heard = DispatchSemaphore(value: 0)
                        let source = DispatchSource.makeUserDataReplaceSource(queue: DispatchQueue(label: "bench"))
                        // Cancelled below, so that it releases itself.
                        nonisolated(unsafe) let shared = source
                        source.setEventHandler {
                            tally.add(Int(shared.data) - 1)
                            heard.signal()
                        }
                        source.activate()
                        for number in 0..<count {
                            source.replace(data: UInt(number + 1))
                            heard.wait()
                        }
                        source.cancel()
                    }
                },
            ]
        )
    }
}
