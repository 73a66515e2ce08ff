"""The experience corpus: what past runs did, kept as lines of JSON and found again by meaning and by words.

`memory.corpus` is its door. A run's event goes down these files: `experience_corpus` (one corpus: project or
global) appends a line, and is done. A search comes through `recall`, which first has `record_table` take in
the lines that came since (`record_intake` turns lines into rows of `record_schema`) and `corpus_index` embed
their texts into `chroma_vectors`; then it asks for neighbours and for words (`keyword_search`,
`text_search`), fuses both (`rank_fusion`), weighs what is known of each record (`feedback`,
`record_queries`), and hands out hits for code or a block for prompts (`recollection`, `recall_prompt`). Whole
runs come back as `stored_episode`. `patterns`, `pruning` (which `compaction` carries out) and `transfer` work
on a corpus as a whole.

`places` says which servers the settings name. With a Chroma server, `server_index` stands in the place of
`corpus_index`, and `chroma_server` in that of `chroma_vectors`; both are a `chroma_collection`. With a
database, `mirror` sends what was appended to `record_log`, a table of Postgres, and takes in what other hosts
sent; `forgotten` tells them what was removed.
"""
