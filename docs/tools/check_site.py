#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a page of the site needs the network (scripts, styles, pictures) or leads to a file that is not there.

    check_site.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class References(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.needed, self.links = [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("img", "script", "iframe") and values.get("src"):
            self.needed.append(values["src"])
        elif tag == "link" and values.get("href"):
            (self.links if values.get("rel") in ("next", "prev", "index", "search") else self.needed).append(values["href"])
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    has_api = (site / "api").exists()
    faults = []
    pages = [page for page in site.rglob("*.html") if "api" not in page.relative_to(site).parts[:1]]
    for page in pages:
        references = References()
        references.feed(page.read_text(encoding="utf-8"))
        for target in references.needed + references.links:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if target in references.needed:
                    faults.append(f"{page}: {target} is not in the site.")
            # Without Doxygen there is no API.
            elif parts.path and (has_api or not parts.path.lstrip("./").startswith("api/")):
                if not (page.parent / urllib.parse.unquote(parts.path)).exists():
                    faults.append(f"{page}: {target} is not there.")
    print(f"{len(pages)} pages.", *faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
