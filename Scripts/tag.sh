#!/usr/bin/env bash
# Makes the tag of a release, after it has looked whether there may be one. Pushing it starts the release.
# usage: Scripts/tag.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: Scripts/tag.sh VERSION}
refuse() {
    echo "tag.sh: $*" >&2
    exit 1
}

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "write a version as 1.2.3"
[ -z "$(git status --porcelain)" ] || refuse "there are changes that are not committed"
[ "$(git branch --show-current)" = main ] || refuse "this is not main"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || refuse "v$version is there already"
grep -q "static let version = \"$version\"" Sources/busctl-rx/BusctlRx.swift || refuse "BusctlRx.version is another one"
grep -q "^## $version\$" CHANGELOG.md || refuse "CHANGELOG.md has no '## $version'"

# The comparison of API.txt is skipped with another Swift than it was written with.
swift=$("${SWIFT:-swift}" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
grep -q "^# Written with Swift $swift " docs/API.txt || refuse "docs/API.txt was written with another Swift"

# From 1.0 on, what was public stays within a major version, and a new name is a new minor version.
last=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)
if [ -n "$last" ]; then
    changes=$(git diff "$last" -- docs/API.txt | grep '^[-+][^-+#]' || true)
    IFS=. read -r major minor _ <<<"$version"
    IFS=. read -r old_major old_minor _ <<<"${last#v}"
    if grep -q '^-' <<<"$changes" && [ "$major" = "$old_major" ] && { [ "$major" != 0 ] || [ "$minor" = "$old_minor" ]; }; then
        grep '^-' <<<"$changes" >&2
        refuse "this was public in $last: it needs a new $([ "$major" = 0 ] && echo minor || echo major) version"
    fi
    if [ -n "$changes" ] && [ "$major.$minor" = "$old_major.$old_minor" ]; then
        grep '^+' <<<"$changes" >&2
        refuse "this is new since $last: it needs a new minor version"
    fi
fi

.ci/run || refuse "the checks do not pass"
make check-sizes || refuse "programs have other sizes than the documentation says"
git tag -a "v$version" -m "busctl-rx $version"
echo "v$version is made. To release it: git push origin main v$version"
