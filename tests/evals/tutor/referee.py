"""A game played to its end by plain rules: kinder than the real ones, for any evidence will do."""

from collections.abc import Callable
from dataclasses import replace

from evals.tutor.players import MoveJson, Player, Seen
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from tests.nodes.tutor.games import truth

Menu = Callable[[Seen], tuple[MoveJson, ...]]


def begun(game: Game) -> Seen:
    return Seen(goal=game.goal, targets=game.targets, most_turns=game.most_turns, rules=game.rules)


def wins(game: Game, player: Player, menu: Menu = lambda seen: ()) -> bool:
    return played(game, player, menu)[1]


def played(game: Game, player: Player, menu: Menu = lambda seen: ()) -> tuple[Seen, bool]:
    """What the player has seen at the end, and whether it won."""
    seen, proved = begun(game), dict[str, Claim]()
    while seen.turns_left:
        move = player(replace(seen, menu=menu(seen)))
        seen = replace(seen, moves=(*seen.moves, move), card="")
        if move["move"] == "PROPOSE":
            seen = replace(seen, shown={**seen.shown, f"o{len(seen.shown) + 1}": output(game, move)})
        elif move["move"] == "ASSERT":
            name, claim = f"c{len(seen.claims) + 1}", Claim.model_validate(move["claim"])
            seen = replace(seen, claims=(*seen.claims, name))
            if set(move["evidence"]) & set(seen.shown) and truth.is_true(game.files, claim):
                proved[name] = claim
        elif move["move"] == "ANSWER":
            return seen, settles(game, [proved.get(name) for name in move["claims"]])
    return seen, False


def settles(game: Game, claims: list[Claim | None]) -> bool:
    """One proved claim for each target, and nothing else; targets that are sealed fit one claim each."""
    if None in claims or len(claims) != len(game.targets):
        return False
    return all(any(claim is not None and target.fits(claim) for claim in claims) for target in game.targets)


def output(game: Game, move: MoveJson) -> str:
    tool, args = move["request"]["tool"], move["request"]["args"]
    if tool == "find":
        return "".join(f"./{path}\n" for path in game.files)
    return game.files[args["path"]] if tool == "cat" else ""
