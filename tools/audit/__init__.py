"""Audit kernels: facts about a tree of source code that code alone finds, each with its file and line.

One audit runs through the files like this:

    pipeline.py          the order of the kernels; the whole report
      sources.py         which files there are (walking.py, ignored.py); what was left out, and why
      ast_scan.py        modules, functions, classes, imports: file_scan.py does it for one file
      metrics.py         size, complexity, coupling.py, cycles, duplication.py
      history.py         changes by file, from git: repository.py finds it, history_log.py reads its log
      hotspots.py        complexity joined with changes
      security.py        findings of a scanner: bandit_scan.py does it for one file
      documentation.py   docstrings, README and its like
      risk.py            a score for each file, its formula shown; figures.py, of what it is made
      recommendations.py what to do first, each citing file:line
    report.py            the types all of them share; what a report is
      kernels.py         their names

As a tool of plans: asking.py reads what is asked, calling.py runs it, brief.py says what was found in brief.

Whatever opens a file runs in worker processes (crew.py, worker.py, serving.py) and reads it by reading.py.

The same tree and the same history give the same bytes: nothing in a report tells the time, the machine, or
where the tree lies.
"""
