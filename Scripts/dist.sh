#!/usr/bin/env bash
# Puts together what a release consists of, in .build/dist: the program, the Debian package, their checksums, the packages that were
# built in (SPDX 2.3), and the notes from CHANGELOG.
# usage: Scripts/dist.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
version=$("$program" --version | cut -d " " -f 1)
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

python3 - "$version" "$(git log -1 --format=%H)" "$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)" "$program" \
    >"$dist/$name.spdx.json" <<'END'
import json
import os
import subprocess
import sys

version, commit, made, program = sys.argv[1:]


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def package(number, name, version, location):
    return {
        "SPDXID": f"SPDXRef-{number}", "name": name, "versionInfo": version, "downloadLocation": location, "filesAnalyzed": False,
    }


packages = [package("busctl-rx", "busctl-rx", version, "NOASSERTION")]
# Others are dependencies of traits that the program is built without.
for pin in json.load(open("Package.resolved"))["pins"]:
    state, name = pin["state"], pin["identity"]
    if name in ("swift-collections", "swift-system", "swift-atomics"):
        packages.append(package(name, name, state.get("version", state["revision"]), pin["location"]))
packages.append(package("swift-runtime", "swift-runtime", lines(os.environ.get("SWIFT", "swift"), "--version")[0], "https://www.swift.org"))
# Libraries that Scripts/release.sh links in.
if not any("libre2" in line for line in lines("readelf", "-d", program)):
    names = ["libre2-dev", "liblz4-dev", "liblzma-dev", "libzstd-dev"]
    for line in lines("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\\n", *names):
        packages.append(package(line.split()[0], *line.split(), "NOASSERTION"))
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
