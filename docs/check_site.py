"""Checks every page of the site in headless Chromium: `cargo xtask docs --check`.

Each page loads without an error, each link has a target, no page is wider than a phone, search
works, code can be copied, and dark mode is dark.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from playwright.sync_api import Page, sync_playwright

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
# The pages whose pictures `--pictures` writes.
PICTURED = (
    "docs/index",
    "docs/interface/tutorial",
    "docs/benchmarks/calls",
    "docs/coming-from/ctypes",
    "docs/gallery/README",
    "docs/python-api",
)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *arguments: object) -> None:
        """Drop the message."""


def serve(site: Path) -> str:
    """Serve the folder at an address of this machine; return the address."""
    handler = functools.partial(QuietHandler, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def check_pages(page: Page, site: Path, address: str) -> list[str]:
    """Visit each page; return what is wrong."""
    problems: list[str] = []
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    ids: dict[str, set[str]] = {}
    links: list[tuple[str, str]] = []
    for file in sorted(site.rglob("*.html")):
        name = str(file.relative_to(site))
        if name.startswith("_static/") or name in ("genindex.html", "search.html"):
            continue
        page.goto(address + name)
        ids[address + name] = set(page.eval_on_selector_all("[id]", "all => all.map(e => e.id)"))
        found = page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)")
        links += [(name, link) for link in found if link.startswith(address)]
        page.set_viewport_size(PHONE)
        broken = page.eval_on_selector_all(
            "img", "all => all.filter(i => !i.naturalWidth).map(i => i.src)"
        )
        problems += [f"{name}: {picture} is not a picture" for picture in broken]
        empty = "all => all.filter(t => t.offsetHeight && !t.innerText.trim()).length"
        if page.eval_on_selector_all("thead", empty):
            problems.append(f"{name}: a table shows an empty heading")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            problems.append(f"{name}: {width} pixels wide on a phone")
        page.set_viewport_size(DESKTOP)
        problems += [f"{name}: {error}" for error in errors]
        errors.clear()
    for name, link in links:
        target, anchor = urldefrag(link)
        path = site / target.removeprefix(address)
        if target.endswith("/"):
            path /= "index.html"
        if not path.is_file():
            problems.append(f"{name}: {link} leads nowhere")
        elif anchor and target in ids and anchor not in ids[target]:
            problems.append(f"{name}: {link} has no such place")
    if len(ids) < 50:
        problems.append(f"only {len(ids)} pages")
    print(f"{len(ids)} pages, {len(links)} links")
    return problems


def check_behaviour(page: Page, address: str) -> list[str]:
    """Search, copy, and switch to dark mode; return what is wrong."""
    problems = []
    page.goto(urljoin(address, "search.html?q=callback"))
    page.wait_for_selector("#search-results li a", timeout=20_000)
    results = page.locator("#search-results li a").all_inner_texts()
    if not any("allback" in result for result in results):
        problems.append(f"the search for `callback` finds {results[:5]}")

    page.goto(urljoin(address, "docs/command.html"))
    block = page.locator("div.highlight", has_text="fishplate check vec.toml").first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    if copied.strip() != "fishplate check vec.toml":
        problems.append(f"the button copies {copied!r}")

    page.emulate_media(color_scheme="dark")
    page.reload()
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]))
    if light > 150:
        problems.append(f"dark mode is {colour}")
    return problems


def main() -> int:
    """Check the site, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--pictures", type=Path, help="also write pictures of some pages here")
    options = parser.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("error: Chromium is missing: install chromium", file=sys.stderr)
        return 1
    address = serve(options.site)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        context = chromium.new_context(
            viewport=DESKTOP, permissions=["clipboard-read", "clipboard-write"]
        )
        page = context.new_page()
        problems = check_pages(page, options.site, address) + check_behaviour(page, address)
        if options.pictures:
            take_pictures(page, address, options.pictures)
        chromium.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def take_pictures(page: Page, address: str, folder: Path) -> None:
    """Write pictures of some pages: wide and narrow, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for size, viewport in (("wide", DESKTOP), ("narrow", PHONE)):
            page.set_viewport_size(viewport)
            for name in PICTURED:
                page.goto(f"{address}{name}.html")
                picture = name.removeprefix("docs/").replace("/", "-")
                page.screenshot(path=folder / f"{picture}-{size}-{scheme}.png")


if __name__ == "__main__":
    sys.exit(main())
