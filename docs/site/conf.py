# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings of the site. Sources are those that docs/tools/stage_site.py has put together."""

import importlib.util
import json
import os
import pathlib

from docutils import nodes

project = "Delassus"
copyright = "the authors of Delassus"  # noqa: A001: the name is Sphinx's
version = release = os.environ.get("DELASSUS_VERSION", "")
root_doc = "docs/index"
extensions = ["myst_parser"]
exclude_patterns = []
source_suffix = {".md": "markdown"}

myst_heading_anchors = 4
# Headings may skip a level; indented code has no language.
suppress_warnings = ["myst.header"]
highlight_language = "none"
pygments_style = "friendly"

html_theme = next(theme for theme, module in (("furo", "furo"), ("sphinx_rtd_theme", "sphinx_rtd_theme"),
                                              ("alabaster", "docutils")) if importlib.util.find_spec(module))
html_title = f"Delassus {version}".strip()
html_show_sourcelink = False
html_copy_source = False
html_static_path = [str(pathlib.Path(__file__).parent / "static")]
html_css_files = ["delassus.css"]


def link_classes(app, doctree, docname):
    """Names of classes in the text lead to their page in the API."""
    listing = pathlib.Path(app.srcdir) / "classes.json"
    if not listing.exists() or app.builder.format != "html":
        return
    if not hasattr(app, "delassus_classes"):
        app.delassus_classes = json.loads(listing.read_text(encoding="utf-8"))
    up = "../" * docname.count("/")
    for literal in list(doctree.findall(nodes.literal)):
        page = app.delassus_classes.get(literal.astext().split("(")[0].split("::")[-1].strip())
        inside = literal.parent
        while inside is not None and not isinstance(inside, (nodes.reference, nodes.title)):
            inside = inside.parent
        if page and inside is None:
            reference = nodes.reference("", "", internal=False, refuri=up + "api/" + page, classes=["class-link"])
            literal.replace_self(reference)
            reference += literal


def setup(app):
    app.connect("doctree-resolved", link_classes)
