"""The proof game: a player proposes one move, the tutor checks, executes, proves and answers.

One game, through the files:

    begin.py         a game is generated, its files laid out                      state.py, open_games.py
    player.py        what the game shows; a model's reply becomes a move          asking.py, flat_moves.py
    tutor.py         one turn, played by the engine                               engine.py, turns.py
      parsing.py       what was given, to a typed move                              moves.py
      legality.py      whether it may be made
      observing/       a tool call runs in the sandbox, its output becomes facts    observations.py, facts.py
      playing.py       what each move does                                          known.py, answering.py
      judging.py       a claim's status, what it contradicts          contradictions.py, identity.py
      examining.py     the observations cited for a claim that still count
      proving/         a verdict on the claim, from their facts                     claims.py, verdicts.py
      recording.py     what was done, seen, said and proved                         proof_graph.py, bulk.py
      scoring.py       what the turn is worth
      telling.py       what the player is told                                      help.py
    finish.py        how it ended                                                 failing.py
    export.py        a game as one document                                       verifying.py
    verifying.py     one proved again                           replaying.py, calling_again.py
    helping/         what a weak player is told: cards, menus, limits
    games/           goals, with the files they are about
"""
