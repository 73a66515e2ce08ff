"""What the page learns that LangGraph's server does not know: the routes of `console/shapes.py`.

One file for each group of routes. Endpoints are plain functions, which Starlette runs in threads: nothing
here holds up the loop on which runs are streamed.

    about.py          version, graphs, roots
    models.py         models within reach
    settings.py       settings in force, checks
    experience.py     the corpora
    threads.py        threads, and what their files tell
    traces.py         the page of a trace
    reports.py        the page of what came of a thread

    asked.py          what a request asks for, checked
    answering.py      shapes, pages and problems as answers
    graphs.py         the graphs in words of people, which stand in graphs.yaml
    thread_places.py  where threads are kept
    answer_facts.py   what came of a run, of whichever graph
    answer_page.py    the page of that, for graphs whose command writes none
"""
