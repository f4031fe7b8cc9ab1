#!/usr/bin/env bash
# Runs the tests under the sanitizers, each in a build of its own. Any finding fails.
# usage: Scripts/sanitize.sh [swift test options, such as --filter BusTests]
set -uo pipefail
swift=${SWIFT:-swift}
failed=0

# One test after the other, so that a report names the test that caused it.
run() {
    "$swift" test --enable-swift-testing --disable-xctest --no-parallel --enable-all-traits --scratch-path ".build/$1" --sanitize="$2" "${@:3}" || failed=1
}

echo "== Thread Sanitizer"
TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" run tsan thread "$@"

# Without optimization the sanitizer does not see into collections.
echo "== Thread Sanitizer, with optimization"
TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" \
    "$swift" run -c release --sanitize=thread --enable-all-traits --scratch-path .build/tsan-release bus-storm || failed=1

# Address Sanitizer brings Leak Sanitizer along.
echo "== Address and Leak Sanitizer"
ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}" LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.supp print_suppressions=0" \
    run asan address "$@"

exit $failed
