// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "unitwatch",
    dependencies: [.package(name: "busctl-rx", path: "../..")],
    targets: [
        .executableTarget(
            name: "unitwatch",
            dependencies: [
                .product(name: "Bus", package: "busctl-rx"),
                .product(name: "Timers", package: "busctl-rx"),
                .product(name: "Filter", package: "busctl-rx"),
                .product(name: "Bridges", package: "busctl-rx"),
                .product(name: "FilterBridge", package: "busctl-rx"),
                .product(name: "Forwarding", package: "busctl-rx"),
                .product(name: "Records", package: "busctl-rx"),
                .product(name: "RecordSources", package: "busctl-rx"),
                .product(name: "TapBridge", package: "busctl-rx"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
