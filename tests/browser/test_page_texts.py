"""The page's own files: texts in three languages, nothing unsafe, nothing heavy. No browser."""

import json
import re
from pathlib import Path

import pytest
from visits import LANGUAGES, STATIC

SECTIONS = "shell|board|player|play|check|space|lesson|compare"
SCRIPTS = sorted(STATIC.rglob("*.js"))

PLACE = re.compile(r"\{(\w+)(?::[^|}]*\|[^}]*)?\}")
KEY = re.compile(rf"""["'`]((?:{SECTIONS})(?:\.[\w-]+)+)["'`]""")
KEY_PREFIX = re.compile(rf"`((?:{SECTIONS})\.(?:[\w-]+\.)*[\w-]*)\$\{{")


def catalogue(lang: str) -> dict[str, str]:
    """Both files of a language as one; a key twice in a file is a fault."""

    def once(pairs: list[tuple[str, str]]) -> dict[str, str]:
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), {name for name in names if names.count(name) > 1}
        return dict(pairs)

    files = [STATIC / "texts" / f"{lang}{part}.json" for part in ("", ".rooms")]
    parts = [json.loads(file.read_text("utf-8"), object_pairs_hook=once) for file in files]
    assert not parts[0].keys() & parts[1].keys()
    return parts[0] | parts[1]


def sources() -> str:
    files = [STATIC / "index.html", *SCRIPTS]
    return "\n".join(file.read_text("utf-8") for file in files)


def test_the_languages_have_the_same_texts() -> None:
    texts = {lang: catalogue(lang) for lang in LANGUAGES}
    assert len(texts["en"]) > 100
    for lang in LANGUAGES:
        assert texts[lang].keys() == texts["en"].keys()
        for key, text in texts[lang].items():
            assert text.strip(), key
            assert set(PLACE.findall(text)) == set(PLACE.findall(texts["en"][key])), (lang, key)


def test_every_text_asked_for_is_there() -> None:
    known = catalogue("en")
    asked = set(KEY.findall(sources()))
    assert len(asked) > 50
    assert asked - known.keys() == set()
    for prefix in KEY_PREFIX.findall(sources()):
        assert any(key.startswith(prefix) for key in known), prefix


def test_every_text_is_asked_for() -> None:
    asked, prefixes = set(KEY.findall(sources())), tuple(set(KEY_PREFIX.findall(sources())))
    idle = [key for key in catalogue("en") if key not in asked and not key.startswith(prefixes)]
    assert idle == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_holds_no_sentence_and_makes_no_markup(script: Path) -> None:
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", script.read_text("utf-8"), flags=re.DOTALL)
    literals = re.findall(r"'([^'\n]*)'|\"([^\"\n]*)\"|`([^`]*)`", source)
    sentences = [text for text in map("".join, literals) if re.match(r"[A-Z][a-z]+ [a-z]+", text)]
    assert sentences == []
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert unsafe not in source


def test_the_page_is_light_and_asks_nobody_else() -> None:
    files = [file for file in STATIC.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 300_000
    for file in files:
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://", text), file.name


def test_no_script_or_style_stands_in_the_page() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
