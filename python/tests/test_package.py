import importlib.metadata
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import jantaku

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "python/docs" / page for page in ("quickstart.md", "environments.md")]


def test_everything_public_is_documented():
    for name in jantaku.__all__:
        thing = getattr(jantaku, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        assert thing.__module__.startswith("jantaku"), name
        for member in vars(thing) if isinstance(thing, type) else ():
            if not member.startswith("_") and member != "COUNT":
                assert getattr(thing, member).__doc__, f"{name}.{member}"


def test_the_wheel_has_the_licences():
    files = {path.name: path for path in importlib.metadata.files("jantaku")}
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert files[name].read_text() == (ROOT / name).read_text()


def test_the_wheel_has_the_program():
    program = shutil.which("jantaku", path=sysconfig.get_path("scripts"))
    assert program is not None
    found = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert found.stdout.startswith(f"jantaku {jantaku.__version__}, commit ")


def test_the_lock_file_has_one_ndarray():
    """Arrays of two versions would not fit together."""
    lock = (ROOT / "Cargo.lock").read_text()
    assert re.findall(r'name = "ndarray"\nversion = "(.*)"', lock) == ["0.16.1"]


def test_the_stubs_are_those_of_the_package(tmp_path):
    allowed = Path(__file__).with_name("stubtest-allowlist.txt")
    config = tmp_path / "mypy.ini"
    # The stubs name nothing of these packages, which take four times as long as the rest.
    config.write_text("[mypy]\n[mypy-torch.*,pandas.*,polars.*,ray.*]\nfollow_imports = skip\n")
    options = ["--ignore-disjoint-bases", "--allowlist", str(allowed)]
    options += ["--mypy-config-file", str(config)]
    command = [sys.executable, "-m", "mypy.stubtest", "jantaku._jantaku", *options]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages_run(tmp_path, monkeypatch, page):
    monkeypatch.chdir(tmp_path)
    game = jantaku.Game(seed=1)
    game.play("greedy")
    Path("game.mjlog").write_text(game.recorded().to_log("mjai"))
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for number, block in enumerate(blocks):
        script = tmp_path / f"block_{number}.py"
        script.write_text(("" if "import jantaku" in block else "import jantaku\n") + block)
        runpy.run_path(str(script))


def test_the_readme_has_a_program():
    readme = (ROOT / "python/README.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    exec(block, {})


def test_nothing_else_is_imported(tmp_path):
    """Importing the package must not need the extras."""
    code = (
        "import sys, jantaku; "
        "print({m.split('.')[0] for m in sys.modules} & "
        "{'gymnasium', 'pettingzoo', 'torch', 'ray', 'pandas', 'polars', 'IPython'})"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.stdout.strip() == "set()", found.stderr
