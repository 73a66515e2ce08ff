"""Products of matrices go on while the process forks, as LangGraph's server does for every sandbox."""

from __future__ import annotations

import subprocess
import sys

import threadpoolctl

import models.embeddings
from tests.support.processes import ROOT

# Without the limit, a product never ends after a few forks.
FORKS = 150
PROGRAM = f"""
import os, threading
import numpy as np
import models.embeddings

left, right = np.ones((900, 384), np.float32), np.ones((384, 900), np.float32)
ended = threading.Event()

def multiply():
    while not ended.is_set():
        left @ right

threads = [threading.Thread(target=multiply) for _ in range(3)]
for one in threads:
    one.start()
for _ in range({FORKS}):
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
ended.set()
for one in threads:
    one.join()
print("ended")
"""


def test_a_product_survives_forks_of_its_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "ended\n", done.stderr


def test_whoever_embeds_has_blas_without_threads() -> None:
    assert models.embeddings.BATCH
    libraries = [one for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"]
    assert libraries and {one["num_threads"] for one in libraries} == {1}
