import Glibc
import Testing

/// Only starts Swift Testing.
///
/// The runner that the package manager generates without this file also looks for XCTest's tests, of which there are
/// none. It finds them in an index of the sources, and making that index takes part of the build time. The package
/// manager recognizes this file by its name. The call is the one that the generated runner makes.
///
/// With this file the package manager runs only XCTest's tests unless it is told otherwise. Plain `swift test` runs all
/// tests anyway. With options that is impossible, so it prints which option to add.
@main
enum Runner {
    static func main() async {
        if CommandLine.arguments.contains("--dump-tests-json") {
            return print(#"{"name": "All tests", "tests": [{"name": "XCTest", "tests": []}]}"#)
        }
        guard CommandLine.arguments.contains("swift-testing") || CommandLine.arguments.count == 1 else {
            let hint = "add --enable-swift-testing --disable-xctest: all tests are Swift Testing's\n"
            write(STDERR_FILENO, hint, hint.utf8.count)
            exit(1)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
