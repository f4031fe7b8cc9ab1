#!/usr/bin/env bash
# Installs the Debian package that `make deb` has made in a new Debian without Swift, and tries what is in it, and whether the examples
# find their libraries there. Needs root.
# usage: Scripts/check-deb.sh [SUITE ...]
#
# MIRROR   where debootstrap takes packages from, if it is not Debian's own
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 1 ]; then
    failed=0
    for suite; do
        echo "== $suite"
        Scripts/check-deb.sh "$suite" || failed=1
    done
    exit $failed
fi
package=$(echo .build/deb/*.deb)
[ -f "$package" ] || { echo "There is no package in .build/deb. Make one with \`make deb\`." >&2; exit 1; }
Scripts/deps.sh --check-deb

work=$(mktemp -d)
root=$work/root
trap 'rm -rf "$work"' EXIT
# Programs in there run as other users, too.
chmod 755 "$work"
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
quietly lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$package"
echo "ok: lintian"
quietly debootstrap --variant=minbase "${1:-bookworm}" "$root" ${MIRROR:+"$MIRROR"}
cp "$package" "$root/package.deb"
quietly /lib/systemd/systemd-journal-remote --output="$root/sample.journal" Examples/sample.export

# Swift reads the arguments in /proc. The mount ends with the command.
# shellcheck disable=SC2016 # The inner shell expands it.
inside() {
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i "$@"' "$root" \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# Each example, with the packages that its README names for a release.
sed -n 's/.*`swift build $(.*release\.sh \([a-z-]*\)).*| \(.*\) |$/\1 \2/p' Examples/*/README.md >"$work/examples"
while read -r name needs; do
    mapfile -t options < <(Scripts/release.sh "$name")
    quietly "${SWIFT:-swift}" build "${options[@]}" </dev/null
    strip -o "$root/$name" "$("${SWIFT:-swift}" build "${options[@]}" --show-bin-path </dev/null)/$name"
    read -ra packages <<<"$(grep -o '`[^`]*`' <<<"$needs" | tr -d '`' | tr '\n' ' ')"
    quietly inside apt-get install -y --no-install-recommends "${packages[@]}" </dev/null
    libraries=$(inside ldd "/$name" </dev/null)
    ! grep 'not found' <<<"$libraries" || { echo "$name does not find its libraries with ${packages[*]} alone" >&2; exit 1; }
    echo "ok: $name with ${packages[*]}"
done <"$work/examples"
[ -s "$work/examples" ] || { echo "no README of an example names its libraries" >&2; exit 1; }
quietly inside apt-get install -y --no-install-recommends /package.deb man-db bash-completion
try() { # a text, and a command that is to print it
    local wanted=$1 found
    shift
    found=$(inside "$@" 2>&1) || true
    grep -qF -- "$wanted" <<<"$found" || { printf '%s\nprints no "%s" but\n%s\n' "$*" "$wanted" "$found" >&2; exit 1; }
    echo "ok: ${*//$'\n'*/ ...}"
}
try "$(dpkg-deb --field "$package" Version | cut -d - -f 1 | cut -d '~' -f 1)" busctl-rx --version
try 'Started nginx.service' busctl-rx tail --file /sample.journal --no-follow
try 'connect() failed' busctl-rx tail --file /sample.journal --no-follow 'message =~ "conn.*failed"'
try 'EXIT STATUS' man busctl-rx
try '--cursor-file path' man busctl-rx-tail
# shellcheck disable=SC2016 # Bash in there expands it.
try 'nginx.service' bash -c '
    source /usr/share/bash-completion/bash_completion
    _completion_loader busctl-rx || true
    compopt() { :; }
    COMP_WORDS=(busctl-rx tail --file /sample.journal -u ngi) COMP_CWORD=5
    COMP_LINE=${COMP_WORDS[*]} COMP_POINT=${#COMP_LINE}
    _busctl_rx
    echo "${COMPREPLY[@]}"'
quietly inside dpkg --verify busctl-rx
quietly inside apt-get purge -y busctl-rx
[ -z "$(find "$root/usr" -name '*busctl-rx*')" ] || { echo "purging leaves files behind" >&2; exit 1; }
echo "ok: apt-get purge"
