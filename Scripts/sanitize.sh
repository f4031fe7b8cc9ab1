#!/usr/bin/env bash
# Runs the tests under Thread, and under Address and Leak Sanitizer, each in a build of its own. Any finding fails.
# usage: Scripts/sanitize.sh [options of Scripts/test.sh, such as --filter BusTests]
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export BUSCTL_RX_RUN_MINUTES=${BUSCTL_RX_RUN_MINUTES:-180}
# The first finding ends a program, also one that a test starts. Each of them would wait for a second at its end, and there are thousands.
export TSAN_OPTIONS="halt_on_error=1 atexit_sleep_ms=10 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.supp print_suppressions=0 ${LSAN_OPTIONS:-}"
failed=0

echo "== Thread Sanitizer"
BUSCTL_RX_SANITIZER=thread Scripts/test.sh "$@" || failed=1

# Without optimization the sanitizer does not see into collections.
echo "== Thread Sanitizer, with optimization"
"$swift" run -c release --sanitize=thread --enable-all-traits --scratch-path .build/thread-release bus-storm || failed=1

# Address Sanitizer brings Leak Sanitizer along.
echo "== Address and Leak Sanitizer"
BUSCTL_RX_SANITIZER=address Scripts/test.sh "$@" || failed=1

exit $failed
