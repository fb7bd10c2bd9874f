"""The command that draws solutions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from commands import Done

Image = pytest.importorskip("PIL.Image")

EIGHT = "8 1 3 / 4 0 2 / 7 6 5"


def test_each_format_by_the_files_name(run: Callable[..., Done], tmp_path: Path) -> None:
    for name in ("a.svg", "a.gif", "a.mp4"):
        done = run("animate", EIGHT, "-o", str(tmp_path / name), "--size", "32", "--speed", "3")
        assert done.code == 0, done.err
        assert f"{name}: 14 moves" in done.out
        assert (tmp_path / name).stat().st_size > 3000
    ET.fromstring((tmp_path / "a.svg").read_text(encoding="utf-8"))
    done = run("animate", EIGHT, "-o", str(tmp_path / "a.png"), "--size", "40", "--json")
    assert json.loads(done.out)["bytes"] == (tmp_path / "a.png").stat().st_size
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (3 * 40 + 32, 3 * 40 + 32)


def test_moves_of_ones_own_in_any_notation(run: Callable[..., Done], tmp_path: Path) -> None:
    path = str(tmp_path / "own.svg")
    for notation, moves in (("blank", "UDUD"), ("tile", "DUDU")):
        done = run("animate", EIGHT, "--moves", moves, "--notation", notation, "-o", path)
        assert done.code == 0, done.err
    done = run("animate", "1 2 3 / 4 5 6 / 7 8 0", "--moves", "R", "-o", path)
    assert done.code == 2
    assert "taquin:" in done.err


def test_a_photo_on_the_tiles(run: Callable[..., Done], tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    Image.new("RGB", (120, 80), "teal").save(photo)
    wishes = ("animate", EIGHT, "--picture", str(photo), "--size", "30")
    assert run(*wishes, "--no-numbers", "-o", str(tmp_path / "p.gif")).code == 0
    photo.write_text("no picture")
    done = run(*wishes, "-o", str(tmp_path / "q.gif"))
    assert done.code == 2
    assert "no picture" in done.err
    assert not (tmp_path / "q.gif").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["1 2 3 4 5 6 8 7 0", "-o", "a.gif"], 1, "Not solvable"),
        ([EIGHT, "-o", "a.avi"], 2, ".svg, .gif, .mp4"),
        ([EIGHT, "-o", "a.gif", "--speed", "0"], 2, "0.1 to 20"),
        ([EIGHT, "-o", "a.gif", "--size", "5"], 2, "16 to 400"),
        ([EIGHT, EIGHT, "-o", "a.gif"], 2, "one board"),
        ([EIGHT, "-o", "no-such-folder/a.svg"], 2, "No such file"),
        ([EIGHT], 2, "-o"),
    ],
)
def test_what_is_refused(
    run: Callable[..., Done],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("animate", *words)
    assert done.code == code
    assert said in done.out + done.err
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []
