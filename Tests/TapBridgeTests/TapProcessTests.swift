import Bus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TapBridge

/// A client that knows nothing of this package except the protocol's framing. It prints every reply on a line.
private let client = #"""
    import json, os, socket, sys
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    call = {"method": sys.argv[2], "parameters": json.loads(sys.argv[3]), "more": len(sys.argv) > 4}
    try: connection.sendall(json.dumps(call).encode() + b"\0")
    except BrokenPipeError: pass
    rest = b""
    while True:
        data = connection.recv(65536)
        if not data: break
        *messages, rest = (rest + data).split(b"\0")
        for message in messages:
            reply = json.loads(message)
            print(json.dumps(reply, sort_keys=True), flush=True)
            if not reply.get("continues"): sys.exit(0)
    """#

private let paths: [String] = ["/usr/bin/python3", "/usr/local/bin/python3"]
private let python = paths.first { access($0, X_OK) == 0 } ?? ""

@Suite("Clients in separate processes", .enabled(if: !python.isEmpty, "needs python3"))
struct TapProcessTests {
    private func start(_ arguments: [String], as user: [String] = []) throws -> (Process, FileHandle) {
        let process = Process()
        let all = user + [python, "-c", client] + arguments
        process.executableURL = URL(fileURLWithPath: all[0])
        process.arguments = Array(all.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    private func output(_ arguments: [String], as user: [String] = []) throws -> String {
        let (process, handle) = try start(arguments, as: user)
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    @Test("Another implementation of varlink is served")
    func python3() throws {
        let served = try Served()
        let info = try output([served.folder.socket, "org.varlink.service.GetInfo", "{}"])
        #expect(info.contains(#""interfaces": ["org.varlink.service", "org.busctl-rx.Tap"]"#))
        let (process, handle) = try start([
            served.folder.socket, "org.busctl-rx.Tap.Watch", #"{"filter": "value % 2 == 0", "count": 2}"#, "more",
        ])
        waitUntil { served.isWatched }
        for number in 1...4 { served.bus.post(number, to: Topic("numbers")) }
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.contains(#""value": 2"#) && text.contains(#""value": 4"#) && !text.contains(#""value": 3"#))
        #expect(text.contains(#""reason": "count""#))
    }

    @Test("A killed watcher leaves nothing behind")
    func killed() throws {
        let served = try Served()
        let (process, _) = try start([served.folder.socket, "org.busctl-rx.Tap.Watch", "{}", "more"])
        waitUntil { served.isWatched }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        waitUntil { !served.isWatched }
        #expect(!served.isWatched)
    }

    @Test(
        "The user reported by the kernel decides who may connect",
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root and setpriv")
    )
    func users() throws {
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        func arguments(_ served: Served) -> [String] { [served.folder.socket, "org.varlink.service.GetInfo", "{}"] }
        let closed = try Served()
        #expect(try output(arguments(closed), as: nobody) == "", "the file's mode keeps it out")
        var options = TapOptions()
        options.mode = 0o666
        let open = try Served(options)
        #expect(try output(arguments(open), as: nobody).contains("org.varlink.service.PermissionDenied"))
        #expect(try output(arguments(open)).contains("busctl-rx"))
        options = TapOptions()
        options.users.insert(65_534)
        let ofUser = try Served(options)
        #expect(try output(arguments(ofUser), as: nobody).contains("busctl-rx"))
        options = TapOptions()
        options.groups = [4321]
        let ofGroup = try Served(options)
        let member = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--groups=4321"]
        #expect(try output(arguments(ofGroup), as: member).contains("busctl-rx"))
        #expect(try output(arguments(ofGroup), as: nobody).contains("org.varlink.service.PermissionDenied"))
    }
}
