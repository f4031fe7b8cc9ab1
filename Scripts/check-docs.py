#!/usr/bin/env python3
"""Opens the documentation of .docs in headless Chromium and finds four pages by their links, as a reader does."""

import functools
import html.parser
import http.server
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent / ".docs"
# The texts of the links from the first page on, and the heading of the page that they lead to. A text is a part of the link's.
PATHS = [
    (["Operators that wait", "debounce("], "debounce(_:edge:maxWait:atCompletion:on:)"),
    (["share("], "share(replay:while:)"),
    (["Threads and order"], "Threads and order"),
    (["Coming from Combine"], "Coming from Combine"),
]


class Page(html.parser.HTMLParser):
    """The links and the first heading of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.heading = [], None
        self._link, self._texts, self._in_heading, self._without_scripts = None, [], False, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self._link, self._texts = dict(attributes).get("href"), []
        if tag == "noscript":
            self._without_scripts = True
        if tag == "h1" and self.heading is None and not self._without_scripts:
            self._in_heading, self.heading = True, ""

    def handle_endtag(self, tag):
        if tag == "a" and self._link:
            self.links.append(("".join(self._texts).strip(), self._link))
            self._link = None
        if tag == "h1":
            self._in_heading = False
        if tag == "noscript":
            self._without_scripts = False

    def handle_data(self, data):
        if self._link is not None:
            self._texts.append(data)
        if self._in_heading:
            self.heading += data


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def read(chromium, address):
    command = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom", address,
    ]
    return Page(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)


def follow(chromium, start, texts):
    address, page = start, read(chromium, start)
    for text in texts:
        found = [link for words, link in page.links if text in words]
        if not found:
            sys.exit(f"{address} has no link with the text '{text}'; its heading is '{page.heading}'")
        address = urllib.parse.urljoin(address, found[0])
        page = read(chromium, address)
    return address, page


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        sys.exit("check-docs needs Chromium: apt-get install chromium")
    if not (ROOT / "index.html").exists():
        sys.exit("there is no .docs: run `make docs` first")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    start = f"http://127.0.0.1:{server.server_port}/"
    for texts, heading in PATHS:
        address, page = follow(chromium, start, texts)
        words = "".join((page.heading or "").split())
        if "".join(heading.split()) not in words:
            sys.exit(f"{address} has the heading '{page.heading}', not '{heading}'")
        print(f"{' > '.join(texts)}: {urllib.parse.urlparse(address).path}")


main()
