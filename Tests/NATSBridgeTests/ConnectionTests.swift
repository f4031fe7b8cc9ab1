import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@Suite("A connection to a real nats-server")
struct ConnectionTests {
    @Test("Each of several servers in one address may have a scheme")
    func severalSchemes() throws {
        for (text, path) in [
            ("nats://a:1,nats://b:2/x.y/z", "x.y/z"), ("nats://a:1,b:2", ""), ("nats://u:p@a,tls://b/", ""),
        ] {
            let (servers, rest) = try NATSAddress.split(text[...])
            #expect(
                rest == path && servers + (text.contains(".") ? "/" + path : text.hasSuffix("/") ? "/" : "") == text
            )
        }
        var none = try URLOptions("", names: [])
        #expect(try NATSAddress("nats://a:1,nats://b:2", &none).servers == ["nats://a:1", "nats://b:2"])
    }

    @Test("Neither descriptions nor messages show a password or a token")
    func secrets() async throws {
        var options = NATSOptions("nats://u:hush,secret@a:1")
        for authentication in [NATSAuthentication.user("u", password: "secret"), .token("secret")] {
            options.authentication = authentication
            var dumped = ""
            dump(options, to: &dumped)
            dump(NATSConnection(options), to: &dumped)
            dump(authentication, to: &dumped)
            dump([authentication: options], to: &dumped)
            var none = try URLOptions("", names: [])
            let address = try NATSAddress("nats://u:secret@a", &none)
            dump(address, to: &dumped)
            for text in [
                dumped, "\(options)", "\(authentication)", "\(address)", String(reflecting: options),
                String(reflecting: authentication), String(reflecting: address), String(describing: [options]),
                String(reflecting: [authentication]),
            ] {
                #expect(!text.contains("secret") && !text.contains("hush"), "\(text)")
            }
        }
        #expect("\(options)" == "nats://a:1")
    }

    @Test("The server that a connection is made to is told without user and password")
    func connectedServer() async throws {
        let server = try await TestNATSServer.start(#"authorization { user: "u", password: "secret" }"#)
        let nats = NATSConnection(NATSOptions("nats://u:secret@127.0.0.1:\(server.port)"))
        let events = Recorder(nats.events())
        try await nats.flush(timeout: .seconds(600))
        await until { events.valueCount > 0 }
        #expect(events.values == [.connected(server: server.url)])
        events.dispose()
    }

    @Test(
        "A server that is killed and started again: subscriptions go on, and missed messages are not counted as lost"
    )
    func restart() async throws {
        let server = try await TestNATSServer.start()
        let (listening, sending) = (server.connection(), server.connection())
        let events = Recorder(listening.events())
        let recorder = Recorder(listening.messages(to: "a").map(\.text).take(while: { $0 != "end" }))
        try await listening.flush()
        try await sending.publish("before", to: "a")
        await until { recorder.valueCount == 1 }
        await server.stop()
        await until { events.values.contains(.disconnected) }
        try await server.restart()
        await until { events.values.contains { if case .reconnected = $0 { true } else { false } } }
        try await listening.flush(timeout: .seconds(600))
        let third = server.connection()
        try await third.publish("after", to: "a")
        try await third.publish("end", to: "a")
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values == ["before", "after"] && recorder.lost == 0 && recorder.violations.isEmpty)
        guard case .completed? = recorder.events.last else {
            Issue.record("\(recorder.events)")
            return
        }
        #expect(
            events.values.prefix(3) == [
                .connected(server: server.url), .disconnected, .reconnected(server: server.url),
            ]
        )
        events.dispose()
    }

    @Test("Messages that are published while there is no server wait in a bounded buffer")
    func buffered() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection { $0.reconnectBuffer = 10_000 }
        let events = Recorder(nats.events())
        try await nats.flush()
        await server.stop()
        await until { events.values.contains(.disconnected) }
        let error = await #expect(throws: NATSError.self) {
            for _ in 0..<100 { try await nats.publish([UInt8](repeating: 1, count: 1000), to: "a") }
        }
        #expect(error?.reason == .bufferFull)
        events.dispose()
    }

    @Test("A connection that libnats gives up fails its subscriptions, and is made anew when it is needed")
    func givenUp() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection { $0.reconnectAttempts = 1 }
        let recorder = Recorder(nats.messages(to: "a"))
        try await nats.flush()
        await server.stop()
        await offThePool { recorder.waitForEnd() }
        guard case .failed(let error)? = recorder.events.last else {
            Issue.record("\(recorder.events)")
            return
        }
        if case .disconnected = error.reason {} else { Issue.record("\(error)") }
        try await server.restart()
        try await nats.flush(timeout: .seconds(600))
        nats.close()
    }

    @Test("No server there")
    func unreachable() async throws {
        let server = try await TestNATSServer.start()
        await server.stop()
        let nats = server.connection()
        let error = await #expect(throws: NATSError.self) { try await nats.publish("", to: "a") }
        guard case .unreachable? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.server == server.url && error?.operation == "publish to \"a\"")
        let recorder = Recorder(nats.messages(to: "a.>"))
        await offThePool { recorder.waitForEnd() }
        guard case .failed(let failure)? = recorder.events.last else {
            Issue.record("\(recorder.events)")
            return
        }
        #expect(failure.operation == "listen to \"a.>\"")
    }

    @Test("Wrong and right password; none of it stands in a message")
    func passwords() async throws {
        let server = try await TestNATSServer.start("authorization { user: u, password: secret }")
        let address = "127.0.0.1:\(server.port)"
        func attempt(_ options: NATSOptions) async -> NATSError? {
            do {
                try await NATSConnection(options).flush()
                return nil
            } catch {
                return error
            }
        }
        var wrong = NATSOptions("nats://" + address)
        wrong.authentication = .user("u", password: "hunter2")
        for options in [NATSOptions("nats://" + address), wrong, NATSOptions("nats://u:hunter2@" + address)] {
            let error = await attempt(options)
            guard case .unauthorized? = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.server == "nats://" + address && error?.description.contains("hunter2") == false)
        }
        var right = wrong
        right.authentication = .user("u", password: "secret")
        #expect(await attempt(right) == nil)
        #expect(await attempt(NATSOptions("nats://u:secret@" + address)) == nil)
        var absent = wrong
        absent.authentication = .credentials(file: "/nonexistent/user.creds")
        let error = await attempt(absent)
        #expect(error?.description.contains("/nonexistent/user.creds") == true)
    }

    @Test("A plain server does not speak TLS; a file of certificates that is not there")
    func insecure() async throws {
        let server = try await TestNATSServer.start()
        let secure = NATSConnection(NATSOptions("tls://127.0.0.1:\(server.port)"))
        let error = await #expect(throws: NATSError.self) { try await secure.flush() }
        guard case .insecure? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        let absent = server.connection { $0.certificateAuthority = "/nonexistent/ca.pem" }
        let other = await #expect(throws: NATSError.self) { try await absent.flush() }
        guard case .insecure? = other?.reason else {
            Issue.record("\(String(describing: other))")
            return
        }
    }

    @Test(
        "An address that is none is refused before anything is connected",
        arguments: ["http://127.0.0.1:1", "nats://", "nats://:4222", "nats://a b", "", "nats://u:p@"]
    )
    func addresses(_ address: String) async throws {
        let error = await #expect(throws: NATSError.self) { try await NATSConnection(NATSOptions(address)).flush() }
        guard case .invalid? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("No server at all") func none() async throws {
        let error = await #expect(throws: NATSError.self) {
            try await NATSConnection(NATSOptions(servers: [])).flush()
        }
        #expect(error?.reason == .invalid("no server is given"))
    }

    @Test("A user who may not: the subscription fails, a publishing is told, the rest lives on")
    func permissions() async throws {
        let server = try await TestNATSServer.start(
            """
            authorization { users = [
              { user: u, password: p, permissions: { publish: ["ok", "_INBOX.>"], subscribe: ["ok", "_INBOX.>"] } }
            ] }
            """
        )
        let nats = server.connection { $0.authentication = .user("u", password: "p") }
        let events = Recorder(nats.events())
        let allowed = Recorder(nats.messages(to: "ok").take(first: 1))
        let refused = Recorder(nats.messages(to: "secret.>"))
        await offThePool { refused.waitForEnd() }
        guard case .failed(let error)? = refused.events.last, case .notPermitted = error.reason else {
            Issue.record("\(refused.events)")
            return
        }
        #expect(error.operation == "listen to \"secret.>\"")
        try await nats.publish("", to: "secret.x")
        await until { events.values.contains { if case .refused = $0 { true } else { false } } }
        let request = await #expect(throws: NATSError.self) {
            try await nats.request("", to: "secret.y", timeout: .seconds(600))
        }
        guard case .notPermitted? = request?.reason else {
            Issue.record("\(String(describing: request))")
            return
        }
        try await nats.publish("", to: "ok")
        await offThePool { allowed.waitForEnd() }
        #expect(allowed.valueCount == 1)
        events.dispose()
    }

    @Test("A refusal is told by its beginning and its subject, though libnats cuts off a long one")
    func refusals() async throws {
        let server = try await TestNATSServer.start(
            """
            authorization { users = [
              { user: u, password: p, permissions: {
                publish: { deny: ["crm.Subscription.*", "long.>"] }, subscribe: { deny: ["long.>"] }
              } }
            ] }
            """
        )
        let nats = server.connection { $0.authentication = .user("u", password: "p") }
        let events = Recorder(nats.events())
        let allowed = Recorder(nats.messages(to: "crm.Subscription.created"))
        let long = "long." + String(repeating: "ü", count: 200)
        let refused = Recorder(nats.messages(to: long))
        await offThePool { refused.waitForEnd() }
        guard case .failed(let error)? = refused.events.last, case .notPermitted = error.reason else {
            Issue.record("\(refused.events)")
            return
        }
        try await nats.publish("", to: "crm.Subscription.created")
        await until { events.values.contains { if case .refused = $0 { true } else { false } } }
        for subject in ["crm.Subscription.asked", long] {
            let request = await #expect(throws: NATSError.self) {
                try await nats.request("", to: subject, timeout: .seconds(600))
            }
            guard case .notPermitted? = request?.reason else {
                Issue.record("\(String(describing: request))")
                continue
            }
        }
        #expect(allowed.events.isEmpty)
        allowed.dispose()
        events.dispose()
    }

    @Test("A drain lets all be heard that has come; afterwards nothing goes")
    func drain() async throws {
        let server = try await TestNATSServer.start()
        let (listening, sending) = (server.connection(), server.connection())
        let recorder = Recorder(listening.messages(to: "a"))
        try await listening.flush()
        for number in 0..<500 { try await sending.publish("\(number)", to: "a") }
        try await sending.drain(timeout: .seconds(600))
        // The server has handed all of it to the other connection before it answers this.
        try await listening.flush(timeout: .seconds(600))
        try await listening.drain(timeout: .seconds(600))
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.valueCount == 500 && recorder.lost == 0)
        guard case .completed? = recorder.events.last else {
            Issue.record("\(recorder.events.suffix(1))")
            return
        }
        let error = await #expect(throws: NATSError.self) { try await sending.publish("", to: "a") }
        #expect(error?.reason == .closed)
    }

    @Test("A drain without a server says that it cannot be, and ends the connection")
    func drainWithoutServer() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let events = Recorder(nats.events())
        let recorder = Recorder(nats.messages(to: "a"))
        try await nats.flush()
        await server.stop()
        await until { events.values.contains(.disconnected) }
        await #expect(throws: NATSError.self) { try await nats.drain(timeout: .milliseconds(200)) }
        await offThePool { recorder.waitForEnd() }
        let error = await #expect(throws: NATSError.self) { try await nats.publish("", to: "a") }
        #expect(error?.reason == .closed)
        events.dispose()
    }

    @Test("A flush and a drain of a server that does not answer are over in time")
    func suspended() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "a"))
        try await nats.flush()
        await server.suspend()
        let flush = await #expect(throws: NATSError.self) { try await nats.flush(timeout: .milliseconds(20)) }
        #expect(flush?.reason == .timedOut)
        let drain = await #expect(throws: NATSError.self) { try await nats.drain(timeout: .milliseconds(100)) }
        #expect(drain?.reason == .timedOut)
        await offThePool { recorder.waitForEnd() }
    }

    @Test("Closing a connection fails its subscriptions and requests")
    func closed() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "a"))
        let task = Task { try await nats.request("", to: "a", timeout: .seconds(600)) }
        await until { recorder.valueCount == 1 }
        nats.close()
        let error = await #expect(throws: NATSError.self) { try await task.value }
        #expect(error?.reason == .closed)
        await offThePool { recorder.waitForEnd() }
    }
}
