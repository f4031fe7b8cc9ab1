// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "unitstate",
    dependencies: [.package(name: "busctl-rx", path: "../..")],
    targets: [
        .executableTarget(
            name: "unitstate",
            dependencies: [
                .product(name: "Bus", package: "busctl-rx"),
                .product(name: "Timers", package: "busctl-rx"),
                .product(name: "DBusBridge", package: "busctl-rx"),
                .product(name: "OSSignalBridge", package: "busctl-rx"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
