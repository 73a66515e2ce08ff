"""LangGraph's store, for graphs, Studio and the SDK: items of any namespace, and what past runs did.

    ("experience", "project"), ("experience", "global")   the corpora, to be read only    corpus_items.py
    any other namespace                                    items of their own, in SQLite    plain_items.py
                                                           both behind one BaseStore        store.py

What is heavy (LangGraph's stores, embedding models) is imported when the store is opened.
"""

from memory.corpus_store.opening import open_store, server_store

__all__ = ["open_store", "server_store"]
