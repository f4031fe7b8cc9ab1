import Bus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TapBridge

struct Deployment: Codable, Sendable {
    var service: String
    var version: Int
}

extension Topic where Value == Deployment {
    static let started = Topic("deploy.started")
    static let kept = Topic("deploy.kept", keeping: .last)
}

@Suite("The tap's answers")
struct TapServiceTests {
    @Test("It describes itself")
    func introduction() throws {
        var options = TapOptions()
        options.product = "test"
        options.version = "1.2"
        let served = try Served(options)
        let client = try served.client()
        let info = try #require(client.ask("org.varlink.service.GetInfo"))
        #expect(info.text("product") == "test" && info.text("version") == "1.2")
        #expect(info.parameters["interfaces"] as? [String] == ["org.varlink.service", "org.busctl-rx.Tap"])
        for interface in ["org.varlink.service", "org.busctl-rx.Tap"] {
            let reply = client.ask("org.varlink.service.GetInterfaceDescription", #"{"interface":"\#(interface)"}"#)
            #expect(reply?.text("description")?.contains("\ninterface \(interface)\n") == true)
        }
    }

    @Test("An unknown call is an error of the protocol, and the connection stays open")
    func errors() throws {
        let served = try Served()
        let client = try served.client()
        func expect(_ method: String, with parameters: String = "{}", _ error: String, _ name: String, _ value: String)
        {
            let reply = client.ask(method, parameters)
            #expect(reply?.error == error)
            #expect(reply?.text(name) == value)
        }
        expect("a.b.C", "org.varlink.service.InterfaceNotFound", "interface", "a.b")
        expect("nothing", "org.varlink.service.InterfaceNotFound", "interface", "")
        expect("org.busctl-rx.Tap.Dance", "org.varlink.service.MethodNotFound", "method", "org.busctl-rx.Tap.Dance")
        let describe = "org.varlink.service.GetInterfaceDescription"
        expect(describe, "org.varlink.service.InvalidParameter", "parameter", "interface")
        expect(describe, with: #"{"interface":"x.y"}"#, "org.varlink.service.InterfaceNotFound", "interface", "x.y")
        let watch = "org.busctl-rx.Tap.Watch"
        expect(watch, with: #"{"pattern":"a..b"}"#, "org.varlink.service.InvalidParameter", "parameter", "pattern")
        expect(watch, with: #"{"count":0}"#, "org.varlink.service.InvalidParameter", "parameter", "count")
        expect(watch, with: #"{"seconds":"1"}"#, "org.varlink.service.InvalidParameter", "parameter", "seconds")
        #expect(client.ask(watch)?.error == "org.varlink.service.ExpectedMore")
        client.send(#"{"method":"org.varlink.service.GetInfo","upgrade":true}"#.utf8 + [0])
        #expect(client.receive()?.text("parameter") == "upgrade")
        #expect(client.ask("org.varlink.service.GetInfo")?.error == nil)
    }

    @Test("Calls that arrive together are answered in order, and a call that wants no reply gets none")
    func pipelined() throws {
        let served = try Served()
        let client = try served.client()
        client.call("org.varlink.service.GetInfo", oneway: true)
        client.call("a.b.C", oneway: true)
        client.call("org.busctl-rx.Tap.Topics")
        client.call("a.b.C")
        client.watch(#"{"count":1}"#)
        client.call("org.varlink.service.GetInfo")
        #expect(client.receive()?.parameters["topics"] != nil)
        #expect(client.receive()?.error == "org.varlink.service.InterfaceNotFound")
        served.bus.post(Deployment(service: "x", version: 1), to: .kept)
        #expect(client.receive()?.kind == "event")
        #expect(client.receive()?.kind == "end")
        #expect(client.receive()?.text("vendor") == "busctl-rx")
    }

    @Test("A client that has shut down its sending side still gets its replies")
    func halfClosed() throws {
        let served = try Served()
        let client = try served.client()
        client.watch(#"{"count":1}"#)
        shutdown(client.descriptor, CInt(SHUT_WR))
        served.bus.post(Deployment(service: "x", version: 1), to: .kept)
        #expect(client.receive()?.kind == "event")
        #expect(client.receive()?.text("reason") == "count")
        #expect(client.receive() == nil)
    }

    @Test("It lists topics, page by page")
    func topics() throws {
        let served = try Served()
        let client = try served.client()
        let topics = try (0..<3000).map { try Topic<Int>(checking: "t.\($0)") }
        let posters = topics.map { served.bus.poster(for: $0) }
        posters[7].post(1)
        var names: [String] = []
        var pages = 0
        while true {
            let after = names.last.map { #","after":"\#($0)""# } ?? ""
            let reply = try #require(client.ask("org.busctl-rx.Tap.Topics", #"{"pattern":"t.>"\#(after)}"#))
            names += reply.list("topics").compactMap { $0["name"] as? String }
            pages += 1
            if reply.parameters["more"] as? Bool != true { break }
        }
        #expect(names == topics.map(\.name.text).sorted())
        #expect(pages > 1)
        let one = client.ask("org.busctl-rx.Tap.Topics", #"{"pattern":"t.7"}"#)?.list("topics").first
        #expect(one?["posted"] as? Int == 1 && one?["type"] as? String == "Int")
    }

    @Test("It posts where the program allows it")
    func posting() throws {
        var options = TapOptions()
        options.allowPosting(on: .started) { try JSONDecoder().decode(Deployment.self, from: Data($0)) }
        let served = try Served(options)
        let heard = Heard<String>()
        let subscription = served.bus.signal(for: .started).subscribe(next: {
            heard.append("\($0.service) \($0.version)")
        })
        defer { subscription.dispose() }
        let client = try served.client()
        func post(_ topic: String, _ value: String) -> Reply? {
            client.ask("org.busctl-rx.Tap.Post", #"{"topic":"\#(topic)","value":\#(value)}"#)
        }
        #expect(post("deploy.started", #"{"service":"web","version":3}"#)?.error == nil)
        #expect(heard.values == ["web 3"])
        #expect(post("deploy.kept", "1")?.error == "org.busctl-rx.Tap.PostingNotAllowed")
        #expect(post("deploy..", "1")?.error == "org.varlink.service.InvalidParameter")
        let refused = post("deploy.started", #"{"service":"web"}"#)
        #expect(refused?.error == "org.busctl-rx.Tap.InvalidValue")
        #expect(refused?.text("reason")?.isEmpty == false)
        #expect(heard.values.count == 1)
        let leaving = try served.client()
        for _ in 0..<200 {
            leaving.call(
                "org.busctl-rx.Tap.Post",
                #"{"topic":"deploy.started","value":{"service":"db","version":1}}"#,
                oneway: true
            )
        }
        shutdown(leaving.descriptor, CInt(SHUT_RDWR))
        waitUntil { heard.values.count == 201 }
        #expect(heard.values.count == 201, "a client that goes at once")
    }
}
