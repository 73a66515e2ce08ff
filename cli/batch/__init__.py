"""Many goals, answered by many workers, each with one line in a file of results.

A batch goes through the files like this:

    goals.py          what is asked: one JSON object a line, all of them checked before any is begun
    results.py        the record: which goals have their line, who writes it, what a crash left of it
    driving.py        who gives goals to workers, counts their deaths, and writes the lines
      progress.py     what is told meanwhile
      report.py       what is told in the end
      crew.py         what a driver needs of workers, wherever they are
        processes.py    on this machine: processes, each at the end of a socket (worker_process.py)
        ray_actors.py   on a Ray cluster: actors (ray_worker.py)
          answering.py  one goal in a worker: begun or gone on with, held to its time, told as a record
            graphs.py   how each graph is asked, and what its end comes to
            meeting.py  whether a worker sees what the driver sees: the project, and its threads
"""
