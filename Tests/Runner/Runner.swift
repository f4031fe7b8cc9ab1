import Testing

/// Starts Swift Testing, and nothing else. The runner that the package manager generates also looks for XCTest's tests, which
/// it finds in an index of the sources; making that index takes a fifth of the time it takes to build the tests.
///
/// The call is the one that the generated runner makes.
@main
enum Runner {
    static func main() async {
        // The package manager runs each library's tests in a process of their own. There are none of XCTest's.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
