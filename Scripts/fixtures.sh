#!/usr/bin/env bash
# Fetches the journal files that systemd tests itself with, damaged ones among them, out of its source package: Debian's of the
# stable release, or that of this release of Ubuntu. They are systemd's and stay out of this repository.
# usage: Scripts/fixtures.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build/fixtures
[ -d "$folder" ] && exit 0

fail() {
    echo "No journals of systemd to test with: $*" >&2
    exit 1
}
for program in apt-get tar zstd; do command -v $program >/dev/null || fail "needs $program"; done

# Beside the folder, so that it is there whole or not at all.
mkdir -p .build
work=$(mktemp -d "$PWD/.build/fixtures.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$work"/{sources,new}
# The archive from which this system takes its packages. In Debian's older releases systemd's source has no such files.
. /etc/os-release
case ${ID:-} in
debian) suite=stable ;;
ubuntu) suite=${VERSION_CODENAME:?} ;;
*) fail "this is neither Debian nor Ubuntu" ;;
esac
archive=$(find /etc/apt -name '*.list' -o -name '*.sources' | xargs -r grep -hv '^#' | grep -oE "[a-z+]+://[^ ]+/$ID/?( |\$)" | sed q) || true
[ -n "$archive" ] || fail "no archive of $ID is configured"
keyring=/usr/share/keyrings/$ID-archive-keyring.gpg
[ -f "$keyring" ] || fail "needs $keyring, of the package $ID-keyring or $ID-archive-keyring"
echo "deb-src [signed-by=$keyring] $archive $suite main" >"$work/sources/archive.list"
options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/sources" -o "Dir::State::Lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update || fail "apt-get cannot read the lists of source packages"
(cd "$work" && apt-get "${options[@]}" source --download-only systemd) || fail "apt-get cannot fetch systemd's source package"
tar xf "$work"/systemd_*.orig.tar.* -C "$work/new" --strip-components=3 --wildcards '*/test/test-journals/*' ||
    fail "systemd's source package has none"
find "$work/new" -name '*.tar.zst' | while read -r archive; do tar xf "$archive" --zstd -C "$work/new" && rm "$archive"; done
find "$work/new" -name '*.zst' -exec zstd -dq --rm {} +
mv "$work/new" "$folder"
