"""The tree the requests are about: the same names and bytes every time, ages counted from now."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

LEVELS = ("INFO", "WARN", "ERROR", "DEBUG")
DAY = 86_400.0
TEXTS = {
    "a.txt": "alpha\nbeta\ngamma\n",
    "b.txt": "alpha\nbeta\ngamma\n",
    "c.txt": "alpha\nBETA\ndelta\n",
    "names.txt": "mia\nzoe\nadam\nmia\nliv\nadam\nmia\nbo\n",
    "words.txt": "the cat and the dog\n\na bird saw the cat\nthe end\n",
    "100%.txt": "full\n",
    ".hidden": "secret\n",
    ".env": "PORT=8080\nHOST=localhost\n",
    "data/people.csv": "id,name,age,city\n1,Ann,31,Oslo\n2,Bob,25,Rome\n3,Cid,47,Oslo\n4,Dee,25,Bern\n",
    "data/scores.tsv": "ann\t10\nbob\t7\ncid\t12\n",
    "data/numbers.txt": "5\n42\n7\n19\n3\n11\n",
    "data/table.txt": "k1  10 x\nk2  20 y\nk3  30 x\n",
    "docs/readme.md": "# Title\n\nRead the guide first.\nTODO: write more\n",
    "docs/notes.md": "# Notes\n\none two three\nfour five\nTODO: check dates\nTODO: sort\n",
    "docs/guide.txt": "Step one\nStep two\nStep three\n",
    "docs/drafts/plan.txt": "draft plan\nstep zero\n",
    "docs/drafts/old notes.txt": "old\n",
    "docs/café.txt": "crème\nbrûlée\n",
    "src/main.py": "import os\nimport sys\n\n\ndef main():\n\tprint(os.getcwd())\n\n\nmain()\n",
    "src/util.py": "import re\n\n\ndef tidy(text):\n\treturn re.sub(' +', ' ', text)\n",
    "src/lib/parse.py": "def parse(line):\n    return line.split(',')\n",
    "src/lib/__init__.py": "",
    "conf/app.conf": "port = 8000\nname = demo\ndebug = true\n",
    "conf/db.conf": "host = localhost\nport = 5432\n",
    "conf/web.ini": "[web]\nroot = /srv\n",
    "tmp/empty1.txt": "",
    "tmp/empty2.txt": "",
    "tmp/keep.txt": "keep me\n",
    "scripts/run.sh": "#!/bin/sh\necho run\n",
    "scripts/setup.sh": "#!/bin/sh\necho setup\n",
}
SIZES = {"data/big.bin": 3 * 2**20, "data/medium.dat": 700_000, "data/logs/old.log": 60_000}
MODES = {"scripts/setup.sh": 0o755, "conf/db.conf": 0o600, "tmp/keep.txt": 0o666, "data/scores.tsv": 0o444}
AGES = {
    "a.txt": 0.05, "b.txt": 12.0, "c.txt": 20.0, "names.txt": 45.0, "data/people.csv": 1.5,
    "docs/readme.md": 2.2,
    "docs/notes.md": 0.5, "src/main.py": 400.0, "data/logs/app.log": 0.01, "data/logs/old.log": 100.0,
}  # fmt: skip
OTHERS_AGE = 30.5
SERVICE_TEXTS = {
    "users.txt": "root:0:admin\nmia:1001:staff\nzoe:1002:guest\nadam:1003:staff\nliv:1004:guest\n",
    "inventory.csv": "item,count,price\nbolt,120,0.10\nnut,300,0.05\ngear,12,9.50\nbelt,12,4.25\n",
    "hosts": "10.0.0.1 alpha\n10.0.0.2 beta\n10.0.0.3 gamma\n",
    "README": "Service\n=======\n\nStart with bin/start.\nStop with bin/stop.\n\nERROR means trouble.\n",
    "numbers.txt": "3\n14\n15\n92\n65\n35\n14\n",
    "fruit.txt": "apple\nBanana\ncherry\napple\nbanana\ndate\n",
    "other.txt": "cherry\nfig\napple\n",
    "spaced.txt": "one   two\n  three  \n\n\nfour\tfive\n",
    "app/server.js": "const http = require('http');\n// TODO: log\nconst port = 3000;\nhttp.listen(port);\n",
    "app/lib/db.js": "const db = null;\n// FIXME: open\nmodule.exports = db;\n",
    "app/lib/http.js": "module.exports = {};\n",
    "app/package.json": '{"name": "service", "version": "1.2.0"}\n',
    "config/prod.yaml": "port: 80\nhost: example.org\nlevel: ERROR\n",
    "config/dev.yaml": "port: 8080\nhost: localhost\nlevel: DEBUG\n",
    "config/prod.yaml.bak": "port: 81\nhost: example.org\n",
    "config/extra/test.yaml": "port: 9090\n",
    "logs/access.log": "".join(f"10.0.0.{n % 4} GET /page/{n} {(200, 404, 500)[n % 3]}\n" for n in range(40)),
    "logs/error.log": "ERROR disk full\nwarning low memory\nerror again\nERROR disk full\n",
    "logs/2024/jan.log": "ok\nERROR one\n",
    "logs/2024/feb.log": "ok\nok\n",
    "bin/start": "#!/bin/bash\necho start\n",
    "bin/stop": "#!/bin/bash\necho stop\n",
    "notes/todo.txt": "buy bolts\ncall Mia\n",
    "notes/Ideas.TXT": "fly\n",
    "notes/my list.txt": "a b c\n",
    "notes/.draft": "hidden draft\n",
    "cache/one.tmp": "1\n",
    "cache/two.tmp": "",
    "cache/three.tmp": "",
    "cache/deep/four.tmp": "4\n",
}
SERVICE_SIZES = {"blobs/large.bin": 5 * 2**20, "blobs/mid.bin": 1_500_000, "blobs/small.bin": 4_000}
SERVICE_MODES = {"bin/start": 0o755, "bin/stop": 0o750, "config/prod.yaml": 0o600, "hosts": 0o444, "cache/one.tmp": 0o666}
SERVICE_AGES = {
    "users.txt": 0.1, "hosts": 3.5, "README": 90.0, "app/server.js": 0.02, "logs/error.log": 1.2, "logs/access.log": 6.5,
    "config/dev.yaml": 10.0, "blobs/large.bin": 200.0,
}  # fmt: skip


def build_tree(root: Path) -> Path:
    """Write the tree below `root`, which must not exist, and return it."""
    root.mkdir(parents=True)
    texts = {**TEXTS, "data/logs/app.log": _log()}
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(MODES.get(name, 0o644))
    source = random.Random(3)
    for name, size in SIZES.items():
        (root / name).write_bytes(bytes(source.randrange(97, 123) for _ in range(997)) * (size // 997 + 1))
        os.truncate(root / name, size)
        (root / name).chmod(0o644)
    (root / "tmp" / "vacant").mkdir()
    (root / "data" / "archive").mkdir()
    (root / "current.log").symlink_to("data/logs/app.log")
    (root / "broken").symlink_to("nowhere")
    for directory in (root, *(path for path in root.rglob("*") if path.is_dir())):
        directory.chmod(0o755)
    _age(root, [*texts, *SIZES], AGES)
    return root


def build_service(root: Path) -> Path:
    """Write another tree, of a small service, below `root`, which must not exist, and return it."""
    root.mkdir(parents=True)
    for name, text in SERVICE_TEXTS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(SERVICE_MODES.get(name, 0o644))
    for name, size in SERVICE_SIZES.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"0123456789abcdef" * (size // 16) + b"x" * (size % 16))
        path.chmod(0o644)
    for name in ("cache/void", "store/in/deep", "backup"):
        (root / name).mkdir(parents=True)
    (root / "current").symlink_to("app")
    (root / "notes" / "gone").symlink_to("../missing.txt")
    for directory in (root, *(path for path in root.rglob("*") if path.is_dir())):
        directory.chmod(0o755)
    _age(root, [*SERVICE_TEXTS, *SERVICE_SIZES], SERVICE_AGES)
    return root


TREES = {"files": build_tree, "service": build_service}


def _log() -> str:
    source = random.Random(7)
    lines = []
    for number in range(60):
        level = source.choice(LEVELS)
        code = source.choice((200, 404, 500))
        lines.append(
            f"2024-05-{1 + number // 10:02d} 10:{number % 60:02d}:00 {level} request {number} status {code}"
        )
    return "\n".join(lines) + "\n"


def _age(root: Path, names: list[str], ages: dict[str, float]) -> None:
    now = time.time()
    for number, name in enumerate(sorted(names)):
        moment = now - DAY * ages.get(name, OTHERS_AGE) - number
        os.utime(root / name, (moment, moment))
    for path in root.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            os.utime(path, (now - 5 * DAY, now - 5 * DAY))
