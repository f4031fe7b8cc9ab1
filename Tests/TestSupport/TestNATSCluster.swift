import Glibc

/// Three servers with JetStream in one cluster. They are ended with this object.
package final class TestNATSCluster: Sendable {
    package let servers: [TestNATSServer]

    package static let names = ["n1", "n2", "n3"]

    /// Returns when all listen; a leader may not have been chosen yet.
    package static func start() async throws -> TestNATSCluster {
        // Each cluster has loopback addresses of its own, so that the ports can be fixed: each server must know all.
        let net = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254))"
        let routes = (1...3).map { "nats://\(net).\($0):6222" }.joined(separator: ", ")
        var servers: [TestNATSServer] = []
        for (index, name) in names.enumerated() {
            let configuration = """
                server_name: \(name)
                jetstream { store_dir: "FOLDER/store" }
                cluster { name: test, listen: "\(net).\(index + 1):6222", routes: [\(routes)] }
                """
            servers.append(try await TestNATSServer.start(configuration))
        }
        return TestNATSCluster(servers)
    }

    private init(_ servers: [TestNATSServer]) {
        self.servers = servers
    }

    package var urls: [String] { servers.map(\.url) }

    package func server(named name: String) -> TestNATSServer? {
        Self.names.firstIndex(of: name).map { servers[$0] }
    }
}
