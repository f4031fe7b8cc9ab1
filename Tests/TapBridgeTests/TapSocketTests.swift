import Bus
import CLinux
import Foundation
import Glibc
import TestSupport
import Testing
import SystemPackage

@testable import TapBridge

@Suite("The socket of a tap")
struct TapSocketTests {
    private let folder = TapFolder()
    private let bus = NotificationBus()

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test("Its file belongs to the owner alone, and exists only while the tap is served")
    func file() throws {
        let tap = try bus.serve(at: folder.socket)
        #expect(tap.path == folder.socket)
        #expect(mode(folder.socket) == 0o600)
        tap.dispose()
        tap.dispose()
        #expect(tap.isDisposed)
        #expect(mode(folder.socket) == nil)
        var options = TapOptions()
        options.users.insert(12_345)
        let open = try bus.serve(at: folder.socket, options: options)
        #expect(mode(folder.socket) == 0o666)
        open.dispose()
        options.mode = 0o640
        let told = try bus.serve(at: folder.socket, options: options)
        #expect(mode(folder.socket) == 0o640)
        told.dispose()
    }

    @Test("The file never has more permissions than its final ones")
    func modeFromTheStart() throws {
        // A socket that is only bound.
        let descriptor = clinux_unix_bind(folder.socket, folder.socket.utf8.count, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(try #require(mode(folder.socket)) & 0o177 == 0)
    }

    @Test("A socket without a listener is replaced; one that is in use is not")
    func stale() throws {
        let old = clinux_unix_bind(folder.socket, folder.socket.utf8.count, 0o600)
        try #require(old >= 0 && listen(old, 1) == 0)
        #expect(throws: TapError.inUse(folder.socket)) { try bus.serve(at: folder.socket) }
        close(old)
        #expect(mode(folder.socket) != nil)
        let tap = try bus.serve(at: folder.socket)
        #expect(throws: TapError.inUse(folder.socket)) { try bus.serve(at: folder.socket) }
        #expect(try VarlinkClient(folder.socket).ask("org.varlink.service.GetInfo") != nil)
        tap.dispose()
    }

    @Test("A file that is not a socket is left alone")
    func noSocket() throws {
        #expect(FileManager.default.createFile(atPath: folder.socket, contents: Data("x".utf8)))
        #expect(throws: TapError.notASocket(folder.socket)) { try bus.serve(at: folder.socket) }
        #expect(FileManager.default.contents(atPath: folder.socket) == Data("x".utf8))
        try FileManager.default.removeItem(atPath: folder.socket)
        try FileManager.default.createSymbolicLink(atPath: folder.socket, withDestinationPath: "/nowhere")
        #expect(throws: TapError.notASocket(folder.socket)) { try bus.serve(at: folder.socket) }
        try FileManager.default.removeItem(atPath: folder.socket)
        let other = try DatagramSocket(at: folder.socket)
        #expect(throws: TapError.inUse(folder.socket)) { try bus.serve(at: folder.socket) }
        withExtendedLifetime(other) {}
    }

    @Test("An impossible path is refused with its reason")
    func paths() throws {
        let long = folder.path + "/" + String(repeating: "x", count: 107 - folder.path.utf8.count)
        let error = #expect(throws: TapError.self) { try bus.serve(at: long) }
        #expect(error == .pathTooLong(long, limit: 107))
        #expect(error.map { "\($0)" }?.contains("108 bytes") == true)
        let longest = String(long.dropLast())
        try bus.serve(at: longest).dispose()
        #expect(throws: TapError.invalidPath("")) { try bus.serve(at: "") }
        #expect(throws: TapError.invalidPath("/a\0b")) { try bus.serve(at: "/a\0b") }
        #expect(throws: TapError.self) { try bus.serve(at: folder.path + "/missing/tap") }
    }

    @Test("Another socket that has replaced the file is left there")
    func replaced() throws {
        let tap = try bus.serve(at: folder.socket)
        unlink(folder.socket)
        let next = try bus.serve(at: folder.socket)
        tap.dispose()
        #expect(mode(folder.socket) != nil)
        next.dispose()
        #expect(mode(folder.socket) == nil)
    }

    @Test("A socket passed to the process is served, and its file stays")
    func passedOn() throws {
        let listener = clinux_unix_bind(folder.socket, folder.socket.utf8.count, 0o600)
        try #require(listener >= 0)
        #expect(throws: TapError.notListening(FileDescriptor(rawValue: listener))) {
            try bus.serve(listeningOn: FileDescriptor(rawValue: listener))
        }
        #expect(throws: TapError.notListening(.standardInput)) { try bus.serve(listeningOn: .standardInput) }
        try #require(listen(listener, 1) == 0)
        let tap = try bus.serve(listeningOn: FileDescriptor(rawValue: listener))
        let client = try VarlinkClient(folder.socket)
        #expect(client.ask("org.varlink.service.GetInfo") != nil)
        tap.dispose()
        #expect(client.receive() == nil)
        #expect(mode(folder.socket) != nil)
    }

    @Test("A tap that ends notifies its watches, and disconnects everybody")
    func disposed() throws {
        let served = try Served()
        let idle = try served.client()
        #expect(idle.ask("org.varlink.service.GetInfo") != nil)
        let watching = try served.client()
        watching.watch(#"{"pattern":"x.>"}"#)
        waitUntil { served.isWatched }
        served.bus.post(1, to: Topic("x.y"))
        #expect(watching.receive()?.kind == "event")
        served.tap.dispose()
        let end = watching.receive()
        #expect(end?.kind == "end" && end?.text("reason") == "closed")
        #expect(watching.receive() == nil && idle.receive() == nil)
        waitUntil { !served.isWatched }
        #expect(throws: VarlinkClient.Failure.self) { try served.client() }
    }

    @Test("Nothing is left of a tap after its end")
    func noLeak() throws {
        weak var server: TapServer?
        do {
            let served = try Served()
            server = served.tap.server
            let client = try served.client()
            client.watch(#"{"filter":"value > 1"}"#)
            waitUntil { served.isWatched }
            _ = try served.client().ask("org.varlink.service.GetInfo")
            let half = try served.client()
            half.send("{\"meth".utf8)
            served.tap.dispose()
            while client.receive() != nil {}
            while half.receive() != nil {}
        }
        waitUntil { server == nil }
        #expect(server == nil)
    }

    @Test("Starting and ending taps leaves no descriptors or threads")
    func residue() async {
        await #expect(processExitsWith: .success) {
            await Residue.exitIfLeft(Stress.rounds(100, stress: 5000)) {
                guard let served = try? Served(), let client = try? served.client() else { fatalError("no tap") }
                client.watch(#"{"count":1}"#)
                waitUntil { served.isWatched }
                served.bus.post(1, to: Topic("x.y"))
                guard client.receiveAll().count == 2 else { fatalError("no event") }
                served.tap.dispose()
                while client.receive() != nil {}
            }
        }
    }
}

/// A datagram socket at a path.
private final class DatagramSocket {
    private let descriptor: CInt

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }
}
