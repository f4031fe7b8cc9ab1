#!/usr/bin/env bash
# Puts the command line, its manual pages and the shells' completions below a prefix, or removes them.
# usage: Scripts/install.sh PROGRAM PREFIX
#        Scripts/install.sh --remove PREFIX
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1 prefix=$2
bash=$prefix/share/bash-completion/completions/busctl-rx
zsh=$prefix/share/zsh/${ZSH_COMPLETIONS:-site-functions}/_busctl-rx
fish=$prefix/share/fish/vendor_completions.d/busctl-rx.fish
manual=$prefix/share/man/man1

if [ "$program" = --remove ]; then
    rm -f "$prefix/bin/busctl-rx" "$bash" "$zsh" "$fish"
    for page in Manual/*.mdoc; do rm -f "$manual/$(basename "$page" .mdoc).1"; done
    exit
fi
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
Scripts/man.py "$program" "$pages"
install -D -s -m 755 "$program" "$prefix/bin/busctl-rx"
install -D -m 644 -t "$manual" "$pages"/*.1
install -D -m 644 Completions/busctl-rx.bash "$bash"
install -D -m 644 Completions/_busctl-rx "$zsh"
install -D -m 644 Completions/busctl-rx.fish "$fish"
