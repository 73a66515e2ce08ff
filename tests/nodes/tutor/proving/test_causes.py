"""Causes: programs that were really run, and failed for one line of their configuration."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Entry, Fact, Found, Search, Text
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from tests.nodes.tutor.proving.failing_programs import Case, generate
from tests.nodes.tutor.proving.knowing import judged, status

seeds = st.integers(0, 10**6)


def made(seed: int) -> Case:
    with tempfile.TemporaryDirectory() as directory:
        return generate(seed, Path(directory))


@settings(deadline=None, max_examples=60)
@given(seed=seeds)
def test_the_line_that_made_the_program_fail_is_its_cause(seed: int) -> None:
    case = made(seed)
    verdict = judged(case.files, "causes", case.cause, case.error)
    assert verdict.status == "validated", (verdict.reason, case)
    assert verdict.used == set(case.files)


@settings(deadline=None, max_examples=40)
@given(seed=seeds, data=st.data())
def test_no_other_line_and_no_copy_is(seed: int, data: st.DataObject) -> None:
    case = made(seed)
    path, _, number = case.cause.rpartition(":")
    for other in data.draw(st.permutations(case.others))[:4]:
        assert status(case.files, "causes", f"{path}:{other}", case.error) != "validated", (other, case)
    for copy in ("staging/" + Path(path).name, "other/" + path):
        files = {**case.files, copy: case.files[path]}
        assert status(files, "causes", f"{copy}:{number}", case.error) != "validated", (copy, case)


@settings(deadline=None, max_examples=40)
@given(seed=seeds, data=st.data())
def test_no_other_line_of_the_log_is_what_it_caused(seed: int, data: st.DataObject) -> None:
    case = made(seed)
    log = case.files["logs/app.log"].split("\n")
    number = data.draw(st.integers(1, len(log)))
    # The line caused the exception that the last one was raised from as well.
    follows = next((line for line in log[number:] if line), "")
    if f"logs/app.log:{number}" != case.error and not (log[number - 1] and follows.startswith("The above")):
        assert status(case.files, "causes", case.cause, f"logs/app.log:{number}") != "validated", (
            number,
            case,
        )


def test_the_exception_it_was_raised_from_has_the_same_cause() -> None:
    case = made(2826)
    log = case.files["logs/app.log"].split("\n")
    number = log.index("The above exception was the direct cause of the following exception:")
    assert status(case.files, "causes", case.cause, f"logs/app.log:{number - 1}") == "validated"
    assert status(case.files, "causes", case.cause, case.error) == "validated"


@settings(deadline=None, max_examples=40)
@given(seed=seeds, data=st.data())
def test_every_part_of_the_chain_is_needed(seed: int, data: st.DataObject) -> None:
    case = made(seed)
    left_out = data.draw(st.sampled_from(sorted(case.files)))
    files = {path: text for path, text in case.files.items() if path != left_out}
    assert status(files, "causes", case.cause, case.error) == "undecidable"


PROGRAM = """import json
from app.settings import CONFIG


def start(cfg):
    return int(cfg["port"]) + 100 // cfg["workers"]


start(CONFIG)
"""
SETTINGS = 'import json\n\nCONFIG = json.load(open("config/app.json"))\n'
LOG = """2024-05-01 10:00:00 INFO port 80a
Traceback (most recent call last):
  File "/srv/app/main.py", line 9, in <module>
    start(CONFIG)
  File "/srv/app/main.py", line 6, in start
    return int(cfg["port"]) + 100 // cfg["workers"]
ValueError: invalid literal for int() with base 10: '80a'
2024-05-01 10:00:01 ERROR retry of port
"""
CONFIG = '{\n  "port": "80a",\n  "workers": 4\n}\n'
FILES = {"app/main.py": PROGRAM, "app/settings.py": SETTINGS, "config/app.json": CONFIG, "run.log": LOG}


def changed(**files: str) -> str:
    """Status of the true claim after files (named without their directory and ending) were replaced."""
    paths = {"main": "app/main.py", "settings": "app/settings.py", "app": "config/app.json", "run": "run.log"}
    return status(
        {**FILES, **{paths[name]: text for name, text in files.items()}},
        "causes",
        "config/app.json:2",
        "run.log:7",
    )


def test_the_program_of_the_following_tests_is_judged_at_all() -> None:
    assert changed() == "validated"
    assert changed(settings="") != "validated"


@pytest.mark.parametrize(
    "log",
    [
        LOG.replace("ValueError: invalid", "TypeError: invalid"),
        LOG.replace("'80a'\n2024", "'80b'\n2024"),
        LOG.replace("line 6, in start", "line 5, in start"),
        LOG.replace("line 6, in start", "line 6, in stop"),
        LOG.replace('    return int(cfg["port"])', '    return int(cfg["ports"])'),
        LOG.replace("/srv/app/main.py", "/srv/app/other.py"),
        LOG.replace("Traceback (most recent call last):\n", ""),
        LOG.replace("    start(CONFIG)\n", "2024-05-01 10:00:00 INFO between\n"),
    ],
)
def test_a_log_that_tells_something_else_proves_nothing(log: str) -> None:
    assert log != LOG
    assert changed(run=log) != "validated"


@pytest.mark.parametrize(
    "program",
    [
        PROGRAM.replace("start(CONFIG)\n", 'CONFIG["port"] = "80a"\nstart(CONFIG)\n'),
        PROGRAM.replace("def start(cfg):", "def int(text):\n    return 1\n\n\ndef start(cfg):"),
        PROGRAM.replace('cfg["port"]', 'cfg["workers"]'),
        PROGRAM.replace('cfg["port"]', 'cfg["server"]["port"]'),
        PROGRAM.replace("start(CONFIG)\n", 'start(CONFIG["server"])\n'),
    ],
)
def test_a_source_that_does_something_else_proves_nothing(program: str) -> None:
    assert program != PROGRAM
    assert changed(main=program) != "validated"


@pytest.mark.parametrize(
    "loading",
    [
        SETTINGS.replace("config/app.json", "config/prod.json"),
        SETTINGS.replace("config/app.json", "app.json"),
        SETTINGS.replace('"config/app.json"', 'f"config/{name}.json"'),
        SETTINGS + 'CONFIG.update(json.load(open("config/local.json")))\n',
        SETTINGS + 'CONFIG = json.load(open("config/local.json"))\n',
        'import json\n\nCONFIG = json.load(open("config/app.json"))["server"]\n',
    ],
)
def test_another_file_or_another_part_of_it_is_not_taken_for_this_one(loading: str) -> None:
    assert changed(settings=loading) != "validated"


@pytest.mark.parametrize("value", ['"81"', "81", "null", "[]", '"80b"', "true"])
def test_another_value_is_no_cause(value: str) -> None:
    assert changed(app=CONFIG.replace('"80a"', value)) != "validated"


def test_a_value_that_makes_the_line_fail_in_another_way_is_no_cause() -> None:
    both = CONFIG.replace("4", "0")
    files = {**FILES, "config/app.json": both}
    assert status(files, "causes", "config/app.json:2", "run.log:7") == "validated"
    assert status(files, "causes", "config/app.json:3", "run.log:7") == "refuted"


def test_a_line_of_level_error_right_before_its_traceback_tells_the_same_failure() -> None:
    log = LOG.replace("INFO port 80a", "ERROR start failed")
    assert status({**FILES, "run.log": log}, "causes", "config/app.json:2", "run.log:1") == "validated"
    assert status(FILES, "causes", "config/app.json:2", "run.log:1") == "undecidable"


def test_values_of_the_environment_come_from_a_file_of_them() -> None:
    program = "import os\n\nPORT = int(os.environ['PORT'])\n"
    log = (
        "Traceback (most recent call last):\n"
        "  File \"main.py\", line 3, in <module>\n    PORT = int(os.environ['PORT'])\n"
        "ValueError: invalid literal for int() with base 10: 'x'\n"
    )
    files = {"main.py": program, "run.log": log, ".env": "HOST=a\nPORT=x\n", "c.json": '{\n"PORT": "x"\n}\n'}
    assert status(files, "causes", ".env:2", "run.log:4") == "validated"
    assert status(files, "causes", ".env:1", "run.log:4") == "refuted"
    assert status(files, "causes", "c.json:2", "run.log:4") == "undecidable"


@pytest.mark.parametrize(
    "line",
    [
        "9 ** 9 ** 9 ** cfg['port']",
        "'x' * 10 ** 9 + cfg['port']",
        "int('9' * 5000) + int(cfg['port'])",
        "[[[[1]]]] * 10 ** 8 + [cfg['port']]",
        "f\"{cfg['port']:>999999999}\"",
        "'%999999999d' % int(cfg['port'])",
        "(" * 90 + "cfg['port']" + ")" * 90,
        "+".join(["cfg['port']"] * 3000),
        "-" * 900 + "1",
        "Decimal('1e999999999') ** int(cfg['port'])",
        "int(Decimal('1e99999999')) + int(cfg['port'])",
        "1 << 10 ** 12 << cfg['port']",
    ],
)
def test_lines_that_would_take_for_ever_are_read_no_further(line: str) -> None:
    program = f"from decimal import Decimal\n\n\ndef start(cfg):\n    return {line}\n"
    log = (
        "Traceback (most recent call last):\n"
        '  File "app/main.py", line 5, in start\n'
        "ValueError: invalid literal for int() with base 10: '80a'\n"
    )
    files = {"app/main.py": program, "run.log": log, "config/app.json": CONFIG}
    assert status(files, "causes", "config/app.json:2", "run.log:3") in (
        "undecidable",
        "validated",
        "refuted",
    )


def run_of(body: str, call: str, above: str = "") -> dict[str, str]:
    """A program whose function `start` fails at the last line of its body, with the log of it."""
    start = f"def start(cfg):\n    {body}\n"
    source = f"import json\n{above}\n\n{start}\n\n{call}\n"
    rows = source.split("\n")
    failed = rows.index("    " + body.split("\n")[-1].removeprefix("    ")) + 1
    log = (
        "Traceback (most recent call last):\n"
        f'  File "main.py", line {len(rows) - 1}, in <module>\n    {rows[-2].strip()}\n'
        f'  File "main.py", line {failed}, in start\n    {rows[failed - 1].strip()}\n'
        "ValueError: invalid literal for int() with base 10: 'x'\n"
    )
    return {"main.py": source, "run.log": log, "config.json": '{\n"port": "x",\n"a": {"port": 1}\n}\n'}


READ = 'return int(cfg["port"])'
START = 'start(json.load(open("config.json")))'


@pytest.mark.parametrize(
    ("body", "call"),
    [
        (READ, START),
        (READ, 'start(yaml.safe_load(open("config.json")))'),
        (READ, 'start(load_config("config.json"))'),
        ("return [int(cfg[key]) for key in ['port']]", START),
        ('serve(host, port=int(cfg["port"]))', START),
        ('return await_all(*[int(cfg["port"])])', START),
    ],
)
def test_ways_to_read_a_key(body: str, call: str) -> None:
    assert status(run_of(body, call), "causes", "config.json:2", "run.log:6") == "validated"


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ('return int(os.environ.get("PORT", cfg["port"]))', START),
        ('data = json.loads(read())\n    return int(data["port"])', START),
        ('value = cfg["port"]\n    value = clean(value)\n    return int(value)', START),
        ("return int(fetch())", START),
        ('cfg = other()\n    return int(cfg["port"])', START),
        ('if flag:\n        cfg = other()\n    return int(cfg["port"])', START),
        ('return int(cfg.get("prt", "x"))', START),
        ('return int("x") + int(cfg["port"])', START),
        ('cfg.pop("port")\n    return int(cfg["port"])', START),
        ('cfg["port"] = ask()\n    return int(cfg["port"])', START),
        ('cfg.update(ask())\n    return int(cfg["port"])', START),
        ('copy = dict(cfg)\n    copy["port"] = ask()\n    return int(copy["port"])', START),
        ('return int(request.params["port"])', START),
        ("options = parser.parse_args()\n    return int(options.port)", START),
        ('environment = surroundings()\n    return int(environment["port"])', START),
        ('return int(os.environ["port"])', START),
        (READ, 'start({**json.load(open("config.json")), **more})'),
        (READ, 'start(json.load(open("config.json")) | more)'),
        (READ, 'start(merge(json.load(open("config.json")), json.load(open("prod.json"))))'),
        (READ, 'start(load("local.json") or load("config.json"))'),
        (READ, 'start(load("config.json") if prod else load("local.json"))'),
        (READ, 'start(json.load(open("config.json"))["a"])'),
        (READ, 'start(json.load(open("config.json"), object_hook=fixed))'),
        (READ, 'start(filled(json.load(open("config.json"))))'),
        (READ, 'start(json.load(open("other.json")))'),
        (READ, 'start(json.load(open(NAME + ".json")))'),
        (READ, "start(dict(os.environ))"),
    ],
)
def test_ways_to_read_something_else(body: str, call: str) -> None:
    assert status(run_of(body, call), "causes", "config.json:2", "run.log:6") != "validated"


@pytest.mark.parametrize("body", [READ, "return int(cfg.port)", 'return int(cfg.get("port"))'])
def test_which_file_is_read_shows_only_a_source_that_names_it(body: str) -> None:
    above = "from shop.settings import config"
    files = {**run_of(body, "start(config)", above), "config.json": '{\n"port": "x"\n}\n'}
    assert status(files, "causes", "config.json:2", "run.log:6") == "undecidable"
    decoy = {**files, "other.json": files["config.json"]}
    assert status(decoy, "causes", "other.json:2", "run.log:6") == "undecidable"
    named = {**decoy, "shop/settings.py": 'import json\n\nconfig = json.load(open("config.json"))\n'}
    assert status(named, "causes", "config.json:2", "run.log:6") == "validated"
    assert status(named, "causes", "other.json:2", "run.log:6") != "validated"
    both = {**named, "shop/late.py": 'import json\n\nmore = json.load(open("other.json"))\n'}
    assert status(both, "causes", "other.json:2", "run.log:6") != "validated"


def test_a_loader_that_no_call_of_the_traceback_is_in_names_the_file_too() -> None:
    files = {**run_of(READ, "start(settings())", "from shop import settings"), "late.json": '{"a": 1}\n'}
    loader = 'import json\n\n\ndef load():\n    return json.load(open("config.json"))\n'
    assert status(files, "causes", "config.json:2", "run.log:6") == "undecidable"
    assert status({**files, "loader.py": loader}, "causes", "config.json:2", "run.log:6") == "validated"
    several = {**files, "loader.py": loader + '\n\nLATE = open("late.json")\n'}
    assert status(several, "causes", "config.json:2", "run.log:6") == "undecidable"


OPENING = """import json
from pathlib import Path

CONFIG = json.load(open("app.json"))


def banner(cfg):
    {line}


banner(CONFIG)
"""
FAILED = """2024-05-01 10:00:00 INFO start
Traceback (most recent call last):
  File "main.py", line 11, in <module>
    banner(CONFIG)
  File "main.py", line 8, in banner
    {line}
{error}
"""
MISSING = "FileNotFoundError: [Errno 2] No such file or directory: 'art/top.txt'"
IS_DIRECTORY = "IsADirectoryError: [Errno 21] Is a directory: 'art/top.txt'"
LISTED = Search(directory="art", found=(Found(path="art/other.txt", kind="file"),))


def opened(line: str, error: str, *seen: Fact, config: int = 3) -> str:
    files = {
        "main.py": OPENING.format(line=line),
        "app.json": '{\n  "width": 3,\n  "file": "art/top.txt",\n  "name": "top.txt"\n}\n',
        "app.log": FAILED.format(line=line, error=error),
    }
    facts: dict[str, list[Fact]] = {path: [Text(path=path, text=text)] for path, text in files.items()}
    claim = Claim(predicate="causes", subject=f"app.json:{config}", value="app.log:7")
    verdict = prove(claim, World({**facts, "seen": list(seen)}))
    assert verdict.status != "validated" or "seen" in verdict.used
    return verdict.status


OPENED = [
    'return open(cfg["file"]).read()',
    'return open(cfg["file"], "rb").read()',
    'return Path(cfg["file"]).read_text()',
    'return Path(cfg["file"]).read_text(encoding="utf-8")',
    'return Path(cfg["file"]).open().read()',
    'return json.load(open(cfg["file"]))',
]


@pytest.mark.parametrize("line", OPENED)
def test_a_file_that_is_not_there_cannot_be_opened(line: str) -> None:
    gone = Entry(path="art/top.txt", kind="absent")
    for seen in (gone, Entry(path="art", kind="absent"), LISTED):
        assert opened(line, MISSING, seen) == "validated"
        for wrong in (2, 4):
            assert opened(line, MISSING, seen, config=wrong) != "validated"
        assert opened(line, MISSING.replace("top", "low"), seen) != "validated"
        assert opened(line, IS_DIRECTORY, seen) != "validated"
    assert opened(line, IS_DIRECTORY, Entry(path="art/top.txt", kind="directory")) == "validated"
    for seen in (Entry(path="art/top.txt", kind="file"), Entry(path="art/low.txt", kind="absent")):
        assert opened(line, MISSING, seen) != "validated"


def test_a_path_is_put_together_from_its_parts() -> None:
    line = 'return (Path("art") / cfg["name"]).read_text()'
    assert opened(line, MISSING, LISTED, config=4) == "validated"
    assert opened(line, MISSING, LISTED) != "validated"


@pytest.mark.parametrize("line", ['return open(cfg["file"], "w")', 'return open(cfg["file"], cfg["name"])'])
def test_what_is_written_need_not_be_there(line: str) -> None:
    assert opened(line, MISSING, LISTED) != "validated"
