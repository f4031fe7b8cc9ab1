#!/usr/bin/env bash
# Prints the options with which `swift build` makes the command line, or another product, for release. The last two groups make it start
# sooner: of 7.9 ms to the first line they take 1.2.
# usage: Scripts/release.sh [PRODUCT]
set -euo pipefail
cd "$(dirname "$0")/.."

printf '%s\n' -c release --product "${1:-busctl-rx}" --static-swift-stdlib
# Nobody loads the program as a library, so it need not offer its 13,000 symbols to others.
printf -- '-Xlinker\n%s\n' --no-export-dynamic -z now

# The libraries that every run needs go into the program, as Swift's do: to find, map and relocate five of them takes longer than to read
# an entry. The linker looks into this folder before it looks for shared libraries. If one of them has no static form, all stay
# outside, because two libstdc++ in one program must not meet.
libraries=$PWD/.build/static-libraries
found=()
for name in re2 lz4 lzma zstd stdc++; do
    file=$(clang++ -print-file-name="lib$name.a" 2>/dev/null || true)
    if [ -f "$file" ]; then found+=("$(realpath "$file")"); fi
done
# A newer RE2 needs abseil, too, which is one libstdc++ more.
if [ ${#found[@]} = 5 ] && [[ $(pkg-config --libs re2) != *absl* ]]; then
    mkdir -p "$libraries"
    ln -sf "${found[@]}" "$libraries"
    printf '%s\n' -Xswiftc -L -Xswiftc "$libraries" -Xlinker -lstdc++
fi
