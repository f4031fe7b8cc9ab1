// swift-tools-version: 6.2
import PackageDescription

let libraries: [Target.Dependency] = ["Bus", "Timers", "LinkBridge", "OSSignalBridge"].map {
    .product(name: $0, package: "busctl-rx")
}

let package = Package(
    name: "fleet",
    dependencies: [.package(name: "busctl-rx", path: "../..")],
    targets: [
        .target(name: "Fleet", dependencies: libraries),
        .executableTarget(name: "fleet-sensor", dependencies: libraries + ["Fleet"]),
        .executableTarget(name: "fleet-guard", dependencies: libraries + ["Fleet"]),
        .executableTarget(name: "fleet-pager", dependencies: libraries + ["Fleet"]),
    ],
    swiftLanguageModes: [.v6]
)
