"""The experience corpus: what past runs did, kept as lines of JSON and found again by meaning and by words.

`memory.corpus` is its door. A run's event goes down these files: `experience_corpus` (one corpus: project or
global) appends a line, and is done. A search comes through `recall`, which first has `record_table` take in
the lines that came since (`record_intake` turns lines into rows of `record_schema`) and `corpus_index` embed
their texts into `chroma_vectors`; then it asks for neighbours and for words (`keyword_search`,
`text_search`), fuses both (`rank_fusion`), weighs what is known of each record (`feedback`,
`record_queries`), and hands out hits for code or a block for prompts (`recollection`, `recall_prompt`). Whole
runs come back as `stored_episode`. `patterns`, `pruning` and `transfer` work on a corpus as a whole.
"""
