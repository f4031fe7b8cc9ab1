// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "nightjob",
    dependencies: [.package(name: "busctl-rx", path: "../..")],
    targets: [
        .executableTarget(
            name: "nightjob",
            dependencies: ["Bus", "Timers", "NATSBridge", "OSSignalBridge"].map {
                .product(name: $0, package: "busctl-rx")
            }
        )
    ],
    swiftLanguageModes: [.v6]
)
