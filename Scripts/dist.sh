#!/usr/bin/env bash
# Puts together what a release consists of, in .build/dist: the program, the Debian package, their checksums, the packages that were
# built in (SPDX 2.3), and the notes from CHANGELOG.
# usage: Scripts/dist.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
version=$("$program" --version)
dist=.build/dist
rm -rf "$dist"
mkdir -p "$dist"

name=busctl-rx-$version-linux-$(uname -m)
strip -o "$dist/$name" "$program"
cp .build/deb/busctl-rx_*.deb "$dist"

# The part of CHANGELOG below the version's heading.
awk -v heading="## $version" '$0 == heading { found = 1; next } /^## / { found = 0 } found' CHANGELOG.md >"$dist/NOTES.md"
if ! grep -q . "$dist/NOTES.md"; then
    echo "CHANGELOG.md has nothing below '## $version'; the notes are those of Unreleased" >&2
    awk '/^## Unreleased/ { found = 1; next } /^## / { found = 0 } found' CHANGELOG.md >"$dist/NOTES.md"
fi

python3 - "$version" "$(git log -1 --format=%H)" "$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)" \
    >"$dist/$name.spdx.json" <<'END'
import json
import sys

version, commit, made = sys.argv[1:]


def package(number, name, version, location):
    return {
        "SPDXID": f"SPDXRef-{number}", "name": name, "versionInfo": version, "downloadLocation": location, "filesAnalyzed": False,
    }


packages = [package("busctl-rx", "busctl-rx", version, "NOASSERTION")]
for pin in json.load(open("Package.resolved"))["pins"]:
    state = pin["state"]
    packages.append(package(pin["identity"], pin["identity"], state.get("version", state["revision"]), pin["location"]))
json.dump(
    {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"busctl-rx-{version}",
        "documentNamespace": f"urn:busctl-rx:{commit}",
        "creationInfo": {"created": made, "creators": ["Tool: Scripts/dist.sh"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-busctl-rx"}
        ] + [
            {"spdxElementId": "SPDXRef-busctl-rx", "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
            for one in packages[1:]
        ],
    },
    sys.stdout,
    indent=1,
)
END

(cd "$dist" && sha256sum busctl-rx* >SHA256SUMS)
echo "A release of $version is in $dist:"
ls -l "$dist"
