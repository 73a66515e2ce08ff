"""Audit kernels: facts about a tree of source code that code alone finds, each with its file and line.

One audit runs through the files like this:

    pipeline.py          the order of the kernels; the whole report
      sources.py         which files there are, read and decoded; what was left out, and why
      ast_scan.py        modules, functions, classes, imports
      metrics.py         size, complexity, coupling, cycles, duplication
      history.py         changes by file, from git
      hotspots.py        complexity joined with changes
      security.py        findings of a scanner
      documentation.py   docstrings, README and its like
      risk.py            a score for each file, its formula shown
      recommendations.py what to do first, each citing file:line
    report.py            the types all of them share; what a report is

The same tree and the same history give the same bytes: nothing in a report tells the time, the machine, or
where the tree lies.
"""
