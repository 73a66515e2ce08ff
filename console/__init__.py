"""The local console: a page of our own, served beside the graphs by `langgraph dev`.

    person's browser --> /console/          the page, built files in `console/static`      console/app.py
                     --> /console/api/...   what LangGraph's server does not know           console/api/
                     --> /assistants, /threads, /runs, /store   LangGraph's own, unchanged

Everything about runs (start, stream, interrupt, history, fork, cancel) is LangGraph's own API; `console/api`
adds only what stands in a project's files: models, settings, experience, traces, reports. `console/web` holds
the sources of the page, `console/access.py` who may come in.
"""
