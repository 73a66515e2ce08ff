"""What LangGraph's server does not know: models, settings, experience, traces and reports of a project."""
