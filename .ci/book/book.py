"""What the book has besides docs/: pages from elsewhere in the repository, the values of all starts, and its contents."""

import base64
import csv
import os
import pathlib
import re
import zlib

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Pages that lie elsewhere, by their paths from the root.
OTHERS = {"README.md": "index.md", "protocol.md": "protocol.md", "python/README.md": "python.md", "CHANGELOG.md": "CHANGELOG.md"}
# Of the documentation of the libraries, if that is wanted.
MODULES = ["kalah", "kalah.engine", "kalah.arena", "kalah.training", "kalah.vector", "kalah.widget", "kalah.gymnasium", "kalah.pettingzoo", "kalah.openspiel"]
HAS_API = bool(os.environ.get("KALAH_PACKAGE"))
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def linked_pages(index):
    """The pages that an index names, in its order."""
    links = LINK.findall((ROOT / "docs" / index).read_text())
    inside = [to for _, to, _ in links if to.endswith(".md") and "/" not in to]
    return [index, *dict.fromkeys(str(pathlib.Path(index).parent / to) for to in inside)]


def on_config(config):
    manual, formats, notebook = (linked_pages(f"{folder}/README.md") for folder in ["manual", "formats", "notebook"])
    config.nav = [
        {"Kalah": "index.md"}, {"Manual": [*manual, {"Python": "python.md"}]}, {"Values of all starts": "values.md"}, {"Fair starts": "fair-starts/README.md"},
        {"Formats": [{"Protocol": "protocol.md"}, *formats]}, {"Notebook": notebook},
        {"Architecture": "architecture.md"}, {"Changes": "CHANGELOG.md"},
    ]
    if HAS_API:
        config.nav.append({"Libraries": ["api/README.md", *({module: f"api/{module}.md"} for module in MODULES)]})
    return config


def on_files(files, config):
    for path, name in OTHERS.items():
        files.append(File.generated(config, name, content=(ROOT / path).read_text()))
    files.append(File.generated(config, "values.md", content=values()))
    if HAS_API:
        rust = "# Libraries\n\nThe documentation of the [Rust library](../../rust/kalah/index.html), and of the modules of the Python package:\n\n"
        modules = [f"- [{module}]({module}.md)\n" for module in MODULES]
        files.append(File.generated(config, "api/README.md", content=rust + "".join(modules)))
        for module in MODULES:
            files.append(File.generated(config, f"api/{module}.md", content=f"# {module}\n\n::: {module}\n"))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links between the pages hold here, too; files of the repository that are no page have none."""
    source = {name: path for path, name in OTHERS.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    up = "../" * page.file.src_uri.count("/")

    def link(match):
        text, to, anchor = match[1], match[2], match[3] or ""
        if ":" in to or page.file.src_uri == "values.md" or page.file.src_uri.startswith("api/"):
            return match[0]
        target = (ROOT / source).parent.joinpath(to).resolve().relative_to(ROOT).as_posix()
        name = OTHERS.get(target, target.removeprefix("docs/") if target.startswith("docs/") else None)
        is_there = name is not None and files.get_file_from_path(name) is not None
        return f"[{text}]({up}{name}{anchor})" if is_there else text

    return LINK.sub(link, markdown)


def values():
    """All starts whose value is known; each leads to the board in the page that plays."""
    lines = [
        "# Values of all starts\n",
        "How many seeds South, who moves first, wins by with best play from both sides, by houses a side and seeds in each house.",
        "A value leads to its board in the page, where the values of all moves can be seen. How they were found, and how long",
        "it took, is in the [notebook](notebook/solver.md). The value of Kalah(6,6) with standard capture has a proof that your",
        "browser [verifies](../proof.html).\n",
    ]
    with open(ROOT / "docs/notebook/values.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for rule, words in [("standard", "Standard capture"), ("empty", "Empty capture"), ("relay", "Relay sowing")]:
        known = {(int(row["houses"]), int(row["seeds"])): row for row in rows if row["capture"] == rule}
        if not known:
            continue
        columns = sorted({seeds for _, seeds in known})
        lines += [f"\n## {words}\n", "| houses | " + " | ".join(map(str, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
        for houses in sorted({houses for houses, _ in known}):
            cells = [cell(houses, seeds, rule, known.get((houses, seeds))) for seeds in columns]
            lines.append(f"| {houses} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def cell(houses, seeds, rule, row):
    if row is None:
        return ""
    tag = "Sowing" if rule == "relay" else "Capture"
    text = f'[Board "{houses}x{seeds}"]\n[{tag} "{rule}"]\n\n*\n'
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")
    value = int(row["margin"])
    return f"[{f'+{value}' if value > 0 else f'−{-value}' if value else '0'}](../#g={packed} \"{row['moves']}\")"
