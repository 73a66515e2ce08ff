"""The proof game: a player proposes one move, the tutor checks, executes, proves and answers.

One move, through the files:

    player.py        what the game shows; a model's reply becomes a move          moves.py
    tutor.py         one turn, played by the engine                               engine.py, turns.py
      observing/       a tool call runs in the sandbox, its output becomes facts    observations.py, facts.py
      examining.py     the observations cited for a claim that still count
      proving/         a verdict on the claim, from their facts                     claims.py, verdicts.py
      proof_graph.py   what was done, seen, said and proved
    helping/         what a weak player is told: cards, menus, limits
    games/           goals, with the files they are about
"""
