#!/usr/bin/env bash
# Runs the tests under the sanitizers, each in a build of its own. Any finding fails.
# usage: Scripts/sanitize.sh [swift test options, such as --filter BusTests]
set -euo pipefail
swift=${SWIFT:-swift}

echo "== Thread Sanitizer"
TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" \
    "$swift" test --enable-all-traits --scratch-path .build/tsan --sanitize=thread "$@"

# Address Sanitizer brings Leak Sanitizer along.
echo "== Address and Leak Sanitizer"
ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}" LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.supp print_suppressions=0" \
    "$swift" test --enable-all-traits --scratch-path .build/asan --sanitize=address "$@"
