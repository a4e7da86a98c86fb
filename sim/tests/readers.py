"""Runs the commands of pages, and opens the runs that they write with other Parquet readers.

usage: readers.py PROGRAM DATASET PAGE...

DATASET is the page on the tables. Its program that reads decisions as arrays is run as it stands. Each
page has a folder of its own, in which a command may read what an earlier one wrote. Blocks in Python
of the pages are run with the Python package. The other readers open the page's `runs/first`, if it has
decisions. `docs/links.py` checks the links of all pages.

What takes long in the pages is smaller, unless JANTAKU_TESTS is `full`.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

import duckdb
import numpy
import polars
import pyarrow.dataset
import pyarrow.parquet

# Words in commands of the pages that take long, and what replaces them.
SMALLER = {
    "--games 10000 ": "--games 1000 ",
    "--games 100 --seed 1 --agents heuristic ": "--games 10 --seed 1 --agents heuristic ",
    "--resume --games 200 ": "--resume --games 20 ",
    "draws.four-winds=0.05%": "draws.four-winds=0.2%",
    "--baseline noisy:p=0.03 --sets 1000": "--baseline noisy:p=0.03 --sets 100",
    "--baseline greedy --sets 250": "--baseline greedy --sets 25",
}

# What a page calls the program.
PREFIX = re.compile("(cargo run --release --|jantaku) ")


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[str]:
    """The lines of the page's shell blocks."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def run_server(line: str, program: Path, folder: Path) -> None:
    """Runs a server of a page until it has answered, and stops it."""
    command = [program, *shlex.split(PREFIX.sub("", line, count=1)), "--port=0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().split(": ")[0]
            page = urllib.request.urlopen(address, timeout=60).read().decode()
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
        finally:
            # Does nothing to a server that has ended.
            server.kill()
    assert server.returncode == 0 and "<form" in page, line
    print(f"$ {line}\n{address}")


def run(line: str, program: Path, folder: Path) -> None:
    """Runs a command of a page in a folder.

    The program replaces `cargo run` and `jantaku`, and DuckDB's library replaces its shell.
    """
    if re.match(rf"{PREFIX.pattern}serve( |$)", line):
        run_server(line, program, folder)
    elif PREFIX.match(line):
        command = f"{program} {PREFIX.sub('', line, count=1)}"
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        print(f"$ {line}\n{done.stdout}")
    elif line.startswith("duckdb -c "):
        query = re.fullmatch(r'duckdb -c "(.*)"', line).group(1)
        found = duckdb.sql(query.replace("'runs/", f"'{folder}/runs/"))
        assert found.fetchall(), line
        print(f"$ {line}\n{found}")
    else:
        assert line.startswith(("make ", "git ", "cd ")), f"no test for this command: {line}"


def run_python(code: str, folder: Path) -> None:
    """Runs a block in Python with the package: that of the wheel WHEEL, or as a page installs it."""
    python = folder / "environment/bin/python"
    if not python.exists():
        venv.create(folder / "environment", with_pip=True)
        package = os.environ.get("WHEEL", "./python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)
    done = subprocess.run([python, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{code}\n{done.stderr}"
    print(f"{code}{done.stdout}")


def check(run_folder: Path) -> None:
    """Checks that three readers open the tables and find the manifest's row counts.

    Also checks that every column is documented.
    """
    manifest = json.loads((run_folder / "manifest.json").read_text())
    assert manifest["complete"], manifest
    for table, rows in manifest["rows"].items():
        files = str(run_folder / table / "*.parquet")
        counts = {
            "pyarrow": pyarrow.dataset.dataset(run_folder / table).count_rows(),
            "polars": polars.scan_parquet(files).select(polars.len()).collect().item(),
            "duckdb": duckdb.sql(f"select count(*) from '{files}'").fetchall()[0][0],
        }
        assert set(counts.values()) == {rows}, f"{table}: {counts}, the manifest states {rows}"
        first = run_folder / table / "part-000000.parquet"
        # Decodes every value of every column.
        pyarrow.parquet.read_table(first).validate(full=True)
        assert len(polars.read_parquet(first)) == len(duckdb.sql(f"select * from '{first}'").fetchall())
        for field in pyarrow.parquet.read_schema(first):
            assert field.metadata and field.metadata[b"description"], f"{table}.{field.name} is not documented"
        print(f"{table}: {rows} rows in pyarrow, polars and duckdb; every column documented")
    # The page says how to subtract unsigned numbers.
    decisions = f"'{run_folder}/decisions/*.parquet' where offer_from is not null"
    sides = duckdb.sql(f"select distinct (offer_from::int - seat::int + 4) % 4 from {decisions}")
    assert sorted(sides.fetchall()) == [(1,), (2,), (3,)], sides


def check_card(program: Path, folder: Path) -> None:
    """Checks that `load_dataset` and mlcroissant read every table of a run with its card as pyarrow does."""
    # They compute nothing at import that other checks need, and take seconds.
    import datasets
    import mlcroissant

    run = folder / "carded"
    words = ["--games", "5", "--games-per-part", "2", "--agents", "greedy", "--log", "oracle"]
    subprocess.run([program, "selfplay", *words, "--quiet", "--out", run], check=True)
    subprocess.run([program, "card", run, "--quiet"], check=True)
    tables = list(json.loads((run / "manifest.json").read_text())["rows"])
    assert datasets.get_dataset_config_names(str(run)) == tables
    metadata = mlcroissant.Dataset(run / "croissant.json")
    assert not metadata.metadata.ctx.issues.errors
    for table in tables:
        expected = pyarrow.dataset.dataset(run / table).to_table().to_pylist()
        found = datasets.load_dataset(str(run), table, split="train", cache_dir=str(folder / "cache"))
        assert found.to_list() == expected, f"load_dataset reads {table} differently"
        plain = lambda value: value.decode() if isinstance(value, bytes) else value
        records = [{key.partition("/")[2]: plain(value) for key, value in record.items()} for record in metadata.records(table)]
        assert [set(record) for record in records] == [set(row) for row in expected], table
        keys = lambda rows: sorted([int(row[name]) for name in ("game", "hand", "step") if name in row] for row in rows)
        assert keys(records) == keys(expected), table
    usual = datasets.load_dataset(str(run), split="train", cache_dir=str(folder / "cache"))
    assert "action" in usual.column_names, "the decisions are the default"
    print(f"datasets and mlcroissant read {', '.join(tables)}")


def rewrite_by_duckdb(file: Path) -> None:
    new = file.with_suffix(".new")
    duckdb.sql(f"copy (select * from '{file}') to '{new}' (format parquet)")
    new.rename(file)


WRITERS = {
    "pyarrow": lambda file: pyarrow.parquet.write_table(pyarrow.parquet.read_table(file), file),
    "pyarrow with large lists": lambda file: pyarrow.parquet.write_table(polars.read_parquet(file).to_arrow(), file),
    "polars": lambda file: polars.read_parquet(file).write_parquet(file),
    "duckdb": rewrite_by_duckdb,
}


def check_rewritten(program: Path, folder: Path) -> None:
    """Checks that runs are still readable after other tools rewrite them with default settings."""
    jantaku = lambda *words: subprocess.run([program, *words], capture_output=True, text=True)
    for source in ("played", "logs"):
        run, again = folder / source, folder / "again"
        if source == "played":
            words = ["--games", "4", "--games-per-part", "2", "--agents", "greedy,random,greedy:calls=off,greedy"]
            assert jantaku("selfplay", *words, "--quiet", "--out", run).returncode == 0
        else:
            assert jantaku("convert", folder / "played", "--to", "run", "--quiet", "--out", run).returncode == 0
        for writer, write in WRITERS.items():
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(run, again)
            for file in again.glob("*/*.parquet"):
                write(file)
            assert jantaku("rebuild-manifest", "--accept-changes", again).returncode == 0, writer
            done = jantaku("verify", again)
            assert done.returncode == 0, f"{writer}: {done.stdout}{done.stderr}"
            for words in (["stats"], ["show", "--game", "1"]):
                found, expected = (jantaku(words[0], of, *words[1:], "--json") for of in (again, run))
                assert found.returncode == 0, f"{writer}: {found.stderr}"
                found, expected = json.loads(found.stdout), json.loads(expected.stdout)
                for key in ("seconds", "runs", "run"):
                    found.pop(key, None), expected.pop(key, None)
                assert found == expected, f"{writer}: {words}"
        for file in again.glob("games/*.parquet"):
            pyarrow.parquet.write_table(pyarrow.parquet.read_table(file), file, compression="gzip")
        error = jantaku("rebuild-manifest", again).stderr
        assert "column `game` is compressed with GZIP" in error and "expected zstd, snappy or no compression" in error, error
    print(f"runs rewritten by {', '.join(WRITERS)} read as before")


SUITS = "mpsz"


def tile_numbers(text: str) -> list[int]:
    """The numbers of tiles in hand notation, one character at a time."""
    tiles, ranks = [], []
    for char in text:
        if char.isdigit():
            ranks.append(int(char))
        elif char in SUITS:
            suit = SUITS.index(char)
            tiles += [9 * suit + rank - 1 if rank else 34 + suit for rank in ranks]
            ranks = []
    return tiles


def check_loader(program: Path, folder: Path, page: str) -> None:
    """Checks the arrays of the page's program against the rows, read one by one."""
    (code,) = blocks(page, "python")
    (folder / "loader.py").write_text(code)
    spec = importlib.util.spec_from_file_location("loader", folder / "loader.py")
    loader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loader)
    for rules, agents in (("tenhou", "random,greedy,random,greedy"), ("tenhou-sanma", "random,greedy,greedy")):
        run = folder / rules
        words = ["--games", "12", "--games-per-part", "7", "--rules", rules, "--agents", agents]
        subprocess.run([program, "selfplay", *words, "--quiet", "--out", run], check=True)
        done = subprocess.run([sys.executable, folder / "loader.py", run], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        rows = pyarrow.dataset.dataset(run / "decisions").to_table().to_pylist()
        assert done.stdout.startswith(f"{len(rows)} rows, "), done.stdout
        found = (dict(zip(arrays, values)) for arrays in loader.batches(run) for values in by_row(arrays))
        kinds = set()
        for row, arrays in zip(rows, found, strict=True):
            legal = row["legal_0"] | row["legal_1"] << 64 | row["legal_2"] << 128
            assert list(arrays["legal"]) == [legal >> action & 1 for action in range(165)]
            own = tile_numbers(row["tiles"] + (row["drawn"] or ""))
            assert list(arrays["own"]) == [own.count(tile) for tile in range(37)]
            seen = "".join(f"{row[name]:0{count}}" for name, count in loader.SEEN.items())
            assert "".join(map(str, arrays["seen"])) == seen
            entries = row["history"].split()
            assert len(entries) == len(arrays["history"])
            for text, (seat, kind, tile, tsumogiri, riichi) in zip(entries, arrays["history"]):
                assert (seat, tile) == (int(text[0]), tile_numbers(text[1:])[0]), text
                assert kind == (1 if "[" in text else 2 if "<" in text else 3 if "+" in text else 0), text
                assert (tsumogiri, riichi) == ("*" in text, "r" in text), text
                kinds.add(int(kind))
            for name in ("seat", "action", "hand_delta", "final_placement"):
                assert arrays[name] == row[name], name
        assert kinds == {0, 1, 2, 3}, kinds
    print("the page's program reads the decisions as arrays")


def by_row(arrays: dict[str, numpy.ndarray]) -> list[tuple]:
    """The values of each row, with the part of the history that belongs to it."""
    history = [arrays["history"][begin:end] for begin, end in zip(arrays["begin"], arrays["end"])]
    return list(zip(*(arrays | {"history": history}).values()))


def smaller(line: str) -> str:
    """A command that does less than this one."""
    for large, small in SMALLER.items():
        line = line.replace(large, small)
    return line


def run_page(page: Path, program: Path, folder: Path) -> None:
    """Runs the commands of a page, then its blocks in Python."""
    for data in ("agents/examples", "engine/tests/perft"):
        shutil.copytree(data, folder / data)
    text = page.read_text()
    is_full = os.environ.get("JANTAKU_TESTS") == "full"
    for line in commands(text):
        run(line if is_full else smaller(line), program, folder)
    for code in blocks(text, "python"):
        run_python(code, folder)


def main() -> None:
    program, dataset, *pages = map(Path, sys.argv[1:])
    program = program.resolve()
    subprocess.run([sys.executable, "docs/links.py"], check=True)
    lines = "\n".join(line for page in pages for line in commands(page.read_text()))
    assert all(large in lines for large in SMALLER), "SMALLER has words that no page has"
    with tempfile.TemporaryDirectory() as folder:
        check_loader(program, Path(folder), dataset.read_text())
    with tempfile.TemporaryDirectory() as folder:
        check_rewritten(program, Path(folder))
        check_card(program, Path(folder))
    opened = 0
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            run_page(page, program, Path(folder))
            if (Path(folder) / "runs/first/decisions").exists():
                check(Path(folder) / "runs/first")
                opened += 1
        print(f"the commands of {page} work")
    assert opened > 0, "no page wrote decisions to runs/first, so no other reader opened a run"


main()
