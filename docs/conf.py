"""Settings of Sphinx for the site that `cargo xtask docs` makes.

The source folder is the root of the repository, so that links between documents hold in the site as
they do in a checkout.
"""

project = "Fishplate"
author = "the Fishplate authors"
copyright = author
html_title = "Fishplate"

extensions = ["myst_parser", "sphinx_copybutton", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/**",
    "examples/README.md",
    "examples/*/README.md",
    "bindings/**/README.md",
    "benches/*/README.md",
    "fuzz/README.md",
]
exclude_patterns = ["docs/conf.py"]
html_static_path = ["_static"]
html_css_files = ["site.css"]

# Anchors as in the links of the documents: `command.md#which-python`.
myst_heading_anchors = 4
myst_enable_extensions = ["linkify"]
myst_linkify_fuzzy_links = False
# Interfaces, consoles and messages have no lexer of their own.
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings of the Python package write code between single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False
# Prompts of consoles and sessions are not copied.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
