#!/usr/bin/env bash
# Fails when type-checking a chain of twenty operators takes longer than it may, or when the compiler does not find the mistake in
# a wrong program soon: each file of Scripts/wrong-programs names the message in its first line.
# usage: Scripts/type-check-time.sh [MILLISECONDS [MILLISECONDS FOR A WRONG PROGRAM]]
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-200}
wrong_limit=${2:-2000}
swift=${SWIFT:-swift}
"$swift" build --target Timers >&2
products=$("$swift" build --show-bin-path)
modules=$products/Modules
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/chain.swift" <<'SWIFT'
import Bus

func twentyOperators(_ numbers: AnySignal<Int, Never>, _ words: AnySignal<String, Never>) -> any Disposable {
    numbers
        .map { $0 + 1 }
        .filter { $0 % 2 == 0 }
        .compactMap { $0 > 2 ? $0 * 3 : nil }
        .skip(first: 1)
        .take(first: 1_000)
        .scan(0) { $0 + $1 }
        .combineLatest(words)
        .map { "\($0.0) \($0.1)" }
        .flatMapLatest { Signals.just($0) }
        .merge(words)
        .prepend("first")
        .append("last")
        .zip(numbers)
        .map { $0.1 }
        .flatMap(.concat) { Signals.from(0..<$0) }
        .withLatest(from: words)
        .filter { !$0.1.isEmpty }
        .map { $0.0 * 2 }
        .take(untilReplacement: numbers)
        .sample(when: words)
        .subscribe(next: { print($0) })
}

func mixedFailures(_ texts: AnySignal<String, any Error>, _ numbers: AnySignal<Int, Never>) -> any Disposable {
    texts
        .flatMap { Signals.just($0) }
        .map { $0.count }
        .merge(numbers)
        .flatMap(.concat) { Signals.from(0..<$0) }
        .combineLatest(numbers)
        .map { $0.0 + $0.1 }
        .flatMapLatest { Signals.just("\($0)") }
        .concat(texts)
        .zip(numbers)
        .map { "\($0.0) \($0.1)" }
        .subscribe(next: { print($0) }, failed: { print($0) })
}

func threeJoined(_ numbers: AnySignal<Int, Never>, _ words: AnySignal<String, Never>) -> any Disposable {
    Signals.combineLatest(numbers, words, numbers.map { Double($0) })
        .map { "\($0.0) \($0.1) \($0.2)" }
        .subscribe(next: { print($0) })
}
SWIFT

# Without the driver, so that the time is the compiler's.
check=(-frontend -typecheck -swift-version 6 -I "$modules" -Xcc "-fmodule-map-file=$products/CLinux.build/module.modulemap")

# The best of several, for what else the machine does is no matter of the compiler's.
for _ in 1 2 3 4 5; do
    "${SWIFTC:-swiftc}" "${check[@]}" -debug-time-function-bodies "$work/chain.swift" >>"$work/times" 2>&1
done
status=0
awk -v limit="$limit" '
    /twentyOperators|mixedFailures|threeJoined/ {
        name = "three signals joined"
        if ($0 ~ /twentyOperators/) name = "twenty operators in a chain"
        if ($0 ~ /mixedFailures/) name = "signals that can fail beside those that cannot"
        time = $1
        sub("ms", "", time)
        if (!(name in best) || time + 0 < best[name]) best[name] = time + 0
    }
    END {
        for (name in best) {
            printf "%s: %.0f ms to type-check (at most %d)\n", name, best[name], limit
            if (best[name] > limit) broken = 1
            seen++
        }
        if (seen != 3) { print "the compiler named no times" > "/dev/stderr"; broken = 1 }
        exit broken
    }' "$work/times" || status=1

# Processor time, because it depends less on what else the machine does. The compiler is stopped at ten times the limit.
# Sets `time`, and writes the diagnosis to a file.
compile() { # a program
    time=$(
        ulimit -t $((wrong_limit / 100 + 1))
        TIMEFORMAT='%3U %3S'
        { time "${SWIFTC:-swiftc}" "${check[@]}" -module-name Wrong -primary-file "$1" Scripts/wrong-programs/Types.swift \
            >"$work/diagnosis" 2>&1; } 2>&1 | awk 'END { printf "%d", ($1 + $2) * 1000 }'
    ) || true
}

slowest=0
wrong() { # a name, a program, the message, and what the program says in the line of the message
    local line
    compile "$2"
    line=$(grep -F ': error: ' "$work/diagnosis" | grep -F -- "$3" | sed -n '1s#^[^:]*:\([0-9]*\):.*#\1#p') || true
    if [ -z "$3" ] || [ -z "$line" ] || ! sed -n "${line}p" "$2" | grep -qF -- "$4"; then
        printf '%s: the compiler does not say "%s" in the line of "%s" but:\n' "$1" "$3" "$4" >&2
        grep -F ': error: ' "$work/diagnosis" >&2 || echo "  nothing within $time ms" >&2
        status=1
    fi
    if [ "$time" -gt "$wrong_limit" ]; then
        echo "$1: $time ms until the compiler finds the mistake (at most $wrong_limit)" >&2
        status=1
    fi
    if [ "$time" -gt "$slowest" ]; then slowest=$time; fi
}

for program in Scripts/wrong-programs/*-*.swift; do
    wrong "$(basename "$program" .swift)" "$program" "$(sed -n '1s#^// error: ##p' "$program")" ""
done

# A long program as the article LongChains advises to write it, and one mistake in it at a time.
right=$(<Scripts/wrong-programs/Alarms.swift)
compile Scripts/wrong-programs/Alarms.swift
if [ -s "$work/diagnosis" ]; then
    cat "$work/diagnosis" >&2
    status=1
fi
while IFS='|' read -r text mistake message; do
    if [[ $right != *"$text"* ]]; then
        echo "Alarms.swift does not say \"$text\"" >&2
        status=1
        continue
    fi
    printf '%s\n' "${right/"$text"/"$mistake"}" >"$work/alarms.swift"
    wrong "Alarms.swift with $mistake" "$work/alarms.swift" "$message" "$mistake"
done <Scripts/wrong-programs/Alarms.txt
echo "wrong programs: $slowest ms to find the mistake in the slowest (at most $wrong_limit)"
exit $status
