"""Branching contractive reasoning: a tree of questions whose uncertainty is measured, not guessed.

One question, file by file:

    begin           limits decided once, the question as root of an empty tree
    normalize       what it wants; a model may restate it (normalization, constraints, restating/)
    clarify         a person says what it means, where it is ambiguous
    advance         what can be done next, everywhere in the tree; each a task (tasks)
      solve         samples (sampling), all at once, within budgets (calls), put together (estimating)
      decompose     where they disagree: parts, of which code takes the good ones (parts, relevance, repeats)
      collapse      parts done: sampled again given their answers, kept if surer
      judged        what code says of an answer (pre_review, reviewing/)
      peer_review   what another model says of it, one revision
    conclude        the pass is over: did the answer move (distance, contraction), is there new evidence
    answer          the best answer, how sure it is, why it stopped

`reading/` reads questions and answers; `events`, `trace_export` and `mermaid` show a run to people.
"""
