import Bus
import BusTesting
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TapBridge

@Suite("Malicious clients")
struct TapHostileTests {
    private func stillServes(_ served: Served) throws -> Bool {
        try served.client().ask("org.varlink.service.GetInfo")?.error == nil
    }

    @Test(
        "Garbage is answered with an error, and the connection closes",
        arguments: ["garbage\0", "\0", "{}\0", "[1]\0", "\u{1}\0{}\0"]
    )
    func garbage(_ text: String) throws {
        let served = try Served()
        let client = try served.client()
        client.send(text.utf8)
        #expect(client.receive()?.error == "org.busctl-rx.Tap.InvalidMessage")
        #expect(client.receive() == nil)
        #expect(try stillServes(served))
    }

    @Test("Half a message is waited for only for a limited time")
    func half() throws {
        var options = TapOptions()
        options.messageTimeout = .milliseconds(50)
        let lines = Heard<String>()
        options.log = lines.append
        let served = try Served(options)
        let client = try served.client()
        client.send("{\"method\":\"org.varl".utf8)
        #expect(client.receive() == nil)
        let silent = try served.client()
        #expect(silent.receive() == nil)
        #expect(lines.values.contains { $0.contains("process \(getpid()) of user \(geteuid())") })
    }

    @Test("Values of a client that posts and goes at once are posted")
    func postsAndGoes() throws {
        let topic = Topic<Int>("x.number")
        var options = TapOptions()
        options.allowPosting(on: topic) { try JSONDecoder().decode(Int.self, from: Data($0)) }
        let served = try Served(options)
        let heard = Recorder(served.bus.signal(for: topic, limit: 100_000).take(first: 2_000))
        let call = #"{"method":"org.busctl-rx.Tap.Post","parameters":{"topic":"x.number","value":NUMBER}}"#
        do {
            let client = try served.client()
            let calls = (0..<2_000).flatMap { call.replacing("NUMBER", with: "\($0)").utf8 + [0] }
            #expect(client.send(calls) == calls.count)
        }
        heard.waitForEnd()
        #expect(heard.values == Array(0..<2_000))
        #expect(try stillServes(served))
    }

    @Test("Half a message, and then the end")
    func halfAndGone() throws {
        let served = try Served()
        let client = try served.client()
        client.send("{\"method\":\"org.varl".utf8)
        shutdown(client.descriptor, CInt(SHUT_WR))
        #expect(client.receive() == nil)
    }

    @Test("A message that arrives byte by byte is read")
    func bytes() throws {
        let served = try Served()
        let client = try served.client()
        for byte in Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0] { client.send([byte]) }
        #expect(client.receive()?.text("vendor") == "busctl-rx")
    }

    @Test("A message without end is cut off at the limit")
    func gigabyte() throws {
        let served = try Served()
        let client = try served.client()
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var sent = 0
        for _ in 0..<1024 {
            let count = client.send(block)
            sent += count
            if count < block.count { break }
        }
        // What the kernel buffers, and the limit.
        #expect(sent < 64 << 20)
        #expect(client.receive()?.error == "org.busctl-rx.Tap.MessageTooLong")
        #expect(client.receive() == nil)
        #expect(try stillServes(served))
    }

    @Test("The longest message is read")
    func longest() throws {
        let served = try Served()
        let client = try served.client()
        let start = #"{"method":"org.varlink.service.GetInfo","x":""#
        let filling = String(repeating: "x", count: TapOptions.maxMessageSize - start.utf8.count - 2)
        client.send((start + filling + "\"}\0").utf8)
        #expect(client.receive()?.text("vendor") == "busctl-rx")
        client.send((start + filling + "x\"}\0").utf8)
        #expect(client.receive()?.error == "org.busctl-rx.Tap.MessageTooLong")
    }

    @Test("Calls whose replies nobody reads are answered only up to a limit")
    func unreadReplies() throws {
        let served = try Served()
        let client = try served.client()
        let call = Array(
            (#"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.busctl-rx.Tap"}}"#
                + "\0").utf8
        )
        _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
        var sent = 0
        // Until the kernel has had no room for a while. Then the tap has stopped reading.
        var full = 0
        while full < 50, sent < 100_000 {
            if send(client.descriptor, call, call.count, CInt(MSG_NOSIGNAL)) == call.count {
                sent += 1
                full = 0
            } else {
                full += 1
                usleep(2000)
            }
        }
        #expect(sent < 100_000)
        #expect(try stillServes(served))
    }

    @Test("Connections are limited, in total and for each user, and become available again")
    func connections() throws {
        var options = TapOptions()
        let lines = Heard<String>()
        options.log = lines.append
        options.connectionsPerUser = 20
        let served = try Served(options)
        var clients: [VarlinkClient] = []
        var refused = 0
        for number in 0..<1000 {
            let client = try served.client()
            client.call("org.varlink.service.GetInfo")
            let reply = client.receive()
            if reply?.error == "org.busctl-rx.Tap.TooManyConnections" {
                #expect(reply?.number("limit") == 20)
                refused += 1
            } else {
                #expect(reply?.text("vendor") == "busctl-rx", "\(number)")
                clients.append(client)
            }
        }
        #expect(clients.count == 20 && refused == 980)
        #expect((1...200).contains(lines.values.count))
        clients.removeAll()
        waitUntil { (try? stillServes(served)) == true }
    }

    @Test("A thousand connections at once are refused or served")
    func thousandAtOnce() throws {
        let served = try Served()
        let clients = try (0..<1000).map { _ in try served.client() }
        for client in clients { client.call("org.varlink.service.GetInfo") }
        let replies = clients.map { $0.receive()?.error }
        #expect(replies.count { $0 == nil } == 32)
        #expect(replies.count { $0 == "org.busctl-rx.Tap.TooManyConnections" } == 968)
    }

    /// A watch whose filter takes as long to compile as the limit on its length allows, and then is refused.
    private var costly: String {
        var filter = "sequence == 1"
        while filter.utf8.count < 3_500 { filter = "(\(filter) ? sequence == 1 : value.a.b == 'x')" }
        return #"{"filter":"\#(filter) && nothing"}"#
    }

    @Test("Clients are answered in turns, however long the calls of one take")
    func turns() throws {
        var options = TapOptions()
        // The turns alone are to keep it from the others.
        options.processorShare = 1_000_000
        let served = try Served(options)
        let attacker = try served.client()
        let calls = 60
        for _ in 0..<calls { attacker.watch(costly) }
        #expect(attacker.receive()?.error == "org.busctl-rx.Tap.InvalidFilter")
        #expect(try stillServes(served))
        let answered = 1 + attacker.received
        #expect(answered < calls / 2)
        for _ in answered..<calls { #expect(attacker.receive()?.error == "org.busctl-rx.Tap.InvalidFilter") }
    }

    @Test("Compiling filters counts against a client's share of the processor")
    func share() throws {
        var options = TapOptions()
        options.processorShare = 0.001
        let served = try Served(options)
        let attacker = try served.client()
        for _ in 0..<20 { attacker.watch(costly) }
        #expect(attacker.receive()?.error == "org.busctl-rx.Tap.InvalidFilter")
        // A millisecond takes a second to save, and each call takes more than one.
        #expect(try stillServes(served))
        #expect(attacker.received < 5)
    }

    @Test("A client of a user without permission is refused")
    func stranger() throws {
        var options = TapOptions()
        let lines = Heard<String>()
        options.log = lines.append
        options.users = [geteuid() + 1]
        options.mode = 0o666
        let served = try Served(options)
        let client = try served.client()
        #expect(client.receive()?.error == "org.varlink.service.PermissionDenied")
        #expect(client.receive() == nil)
        #expect(lines.values.contains { $0.contains("refused process \(getpid()) of user \(geteuid())") })
        options.groups = [getegid()]
        let other = try Served(options)
        #expect(try stillServes(other))
    }

    @Test("Random bytes and damaged messages never end the tap")
    func fuzz() throws {
        var options = TapOptions()
        options.allowPosting(on: .started) { try JSONDecoder().decode(Deployment.self, from: Data($0)) }
        let served = try Served(options)
        var generator = SeededGenerator(21)
        let calls = [
            #"{"method":"org.busctl-rx.Tap.Watch","parameters":{"filter":"value.x == 1","seconds":1},"more":true}"#,
            #"{"method":"org.busctl-rx.Tap.Topics","parameters":{"pattern":"a.>","after":"b"}}"#,
            #"{"method":"org.busctl-rx.Tap.Post","parameters":{"topic":"deploy.started","value":{"service":"a","version":1}}}"#,
            #"{"method":"org.busctl-rx.Tap.Inspect","oneway":true}"#,
        ]
        for _ in 0..<Stress.rounds(300, stress: 20_000) {
            let client = try served.client()
            for _ in 0..<generator.number(1..<6) {
                var bytes = Array(generator.pick(calls).utf8) + [0]
                for _ in 0..<generator.number(0..<4) {
                    bytes[generator.number(0..<bytes.count)] = UInt8(generator.number(0..<256))
                }
                client.send(bytes.prefix(generator.chance(10) ? generator.number(0..<bytes.count) : bytes.count))
            }
            shutdown(client.descriptor, CInt(SHUT_WR))
        }
        waitUntil { (try? stillServes(served)) == true }
    }
}
