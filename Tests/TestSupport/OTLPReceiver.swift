import Foundation
import Glibc
import SystemPackage

/// An HTTP server in another process that answers as it is told.
package final class OTLPReceiver: @unchecked Sendable {
    struct Failure: Error {}

    private static let paths: [String] = ["/usr/bin/python3", "/usr/local/bin/python3"]
    package static let python = paths.first { access($0, X_OK) == 0 } ?? ""

    /// Each request with a body takes an answer from the list, and 200 when there is none left. What is stored is a file each; the log has a
    /// line for each request.
    private static let server = #"""
        import gzip, http.server, json, os, socket, ssl, struct, sys, threading, time
        folder, answers, rules = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
        lock = threading.Lock()
        log = open(folder + "/log", "a", buffering=1)
        stored = 0
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *_): pass
            def do_POST(self):
                global stored
                data = self.rfile.read(int(self.headers["Content-Length"]))
                is_zipped = self.headers["Content-Encoding"] == "gzip"
                if is_zipped: data = gzip.decompress(data)
                with lock:
                    answer = answers.pop(0) if data and answers else "200"
                    if answer != "200": pass
                    elif data and data.count(b"log.record.uid") > rules.get("most", 1 << 30): answer = "413"
                    # A word is the whole of a text.
                    elif any(bytes([len(word)]) + word.encode() in data for word in rules.get("poison", [])): answer = rules["status"]
                    if data and not is_zipped: answer = "415"
                    if not data and "probe" in rules: answer = rules["probe"]
                    print(time.monotonic(), answer, len(data), self.client_address[1], self.path,
                        self.headers["Authorization"], self.headers["Content-Type"], file=log)
                word, *rest = answer.split(" ", 1)
                if word == "reset":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    return self.connection.close()
                if word in ("hang", "late"): 
                    while os.path.exists(folder + "/closed"): time.sleep(0.01)
                    if word == "hang": self.close_connection = True; return
                    word = "200"
                if word == "200" and data:
                    with lock:
                        stored += 1
                        with open(f"{folder}/new", "wb") as file: file.write(data)
                        os.rename(f"{folder}/new", f"{folder}/{stored:08}.request")
                body = bytes.fromhex(rest[0]) if word == "200" and rest else b""
                try:
                    self.send_response(int(word))
                    if word in ("429", "503") and rest: self.send_header("Retry-After", rest[0])
                    if word == "307": self.send_header("Location", "/elsewhere")
                    if word == "400": body = b"no such tenant"
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError: pass
        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, *_): pass
        server = Server(("127.0.0.1", int(rules.get("port", 0))), Handler)
        if "cert" in rules:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(rules["cert"], rules["key"])
            if "ca" in rules:
                context.load_verify_locations(rules["ca"])
                context.verify_mode = ssl.CERT_REQUIRED
            server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    package let port: Int
    private let folder: TestFolder
    private let process = Process()

    /// - Parameters:
    ///   - answers: statuses, with the seconds of `Retry-After` or the answer's body in hexadecimal digits behind a space; `reset`, `hang`, and `late`,
    ///     which is stored and answered too late.
    ///   - rules: `most` records of a request; `poison`, words that are answered with `status`; `probe`, the answer to requests without records.
    package init(_ answers: [String] = [], _ rules: [String: Any] = [:]) throws {
        folder = try TestFolder()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", Self.server, folder.path.string] + [try Self.json(answers), try Self.json(rules)]
        process.standardOutput = pipe
        try Data().write(to: URL(fileURLWithPath: folder.file("closed").string))
        try process.run()
        var line = ""
        while !line.contains("\n"), case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
            line += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(line.dropLast()) else { throw Failure() }
        self.port = port
    }

    deinit {
        stop()
    }

    private static func json(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }

    package func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Lets the answers go that hang or are late.
    package func open() { unlink(folder.file("closed").string) }

    /// Of each request: when it came in seconds, the answer, the number of bytes, the client's port, the path, `Authorization`, `Content-Type`.
    package var log: [[String]] {
        let text = (try? String(contentsOfFile: folder.file("log").string, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// The cursors of what is stored, in its order.
    package func cursors() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path.string)
        return try names.filter { $0.hasSuffix(".request") }.sorted().flatMap { name in
            Self.cursors(try Data(contentsOf: URL(fileURLWithPath: folder.file(name).string)))
        }
    }

    /// Finds them by the attribute's name and the two lengths behind it, and not with the reader that is tested.
    private static func cursors(_ request: Data) -> [String] {
        var (found, rest) = ([String](), request[...])
        while let name = rest.firstRange(of: Data("log.record.uid".utf8)) {
            rest = rest[name.upperBound...]
            // A value of type AnyValue, and in it a text; both are shorter than 16 KiB.
            let count = length(&rest, field: 0x12).flatMap { _ in length(&rest, field: 0x0A) } ?? 0
            found.append(String(decoding: rest.prefix(count), as: UTF8.self))
        }
        return found
    }

    private static func length(_ rest: inout Data.SubSequence, field: UInt8) -> Int? {
        guard rest.popFirst() == field, let low = rest.popFirst() else { return nil }
        if low < 0x80 { return Int(low) }
        return rest.popFirst().map { Int($0) << 7 | Int(low & 0x7F) }
    }
}
