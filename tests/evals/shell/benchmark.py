"""A made-up benchmark in the format of the package: two file systems, five tasks."""

import json
from pathlib import Path

FS_2 = r"""#!/bin/bash
rm -rf /attic/
mkdir -p /attic/box "/attic/a b"
echo -e 'one\ntwo' > /attic/box/list.txt
echo 'x' > "/attic/a b/odd name.txt"
touch -m -t202301020304.05 /attic/old.log
chmod 640 /attic/box/list.txt
ln -s box /attic/link
dateless --no-such-option
"""
FS_4 = "#!/bin/bash\nexport nothing=1\n"
ROWS = {
    2: [
        {"query": "Show /attic/box/list.txt", "gold": "cat /attic/box/list.txt", "gold2": "cat /attic/*/l*"},
        {"query": "Make the directory /cellar", "gold": "mkdir /cellar", "gold2": "mkdir -p /cellar"},
        {"query": "Say what random is", "gold": "echo $RANDOM", "gold2": "nosuchprogram-here"},
    ],
    4: [
        {"query": "Say nothing", "gold": "true", "gold2": "echo hello", "difficulty": 2},
        {"query": "Where am I?", "gold": "pwd", "gold2": "ls -d ."},
    ],
}  # fmt: skip


def write_benchmark(folder: Path) -> Path:
    """The assets of a package: datasets and set-up scripts."""
    (folder / "datasets").mkdir(parents=True)
    (folder / "docker").mkdir()
    for number, script in ((2, FS_2), (4, FS_4)):
        (folder / "docker" / f"setup_nl2b_fs_{number}.sh").write_text(script)
        (folder / "datasets" / f"nl2bash_fs_{number}.json").write_text(json.dumps(ROWS[number]))
    return folder
