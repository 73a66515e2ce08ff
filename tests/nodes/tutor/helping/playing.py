"""A game on files in memory, for what help is measured by: tools that read them, and a judge that is kind.

The judge takes every true claim that cites an observation of some text of its file, so what blind players win
here bounds what they win against the provers. Facts stand in the output of an observation, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from random import Random

from pydantic import TypeAdapter

from nodes.tutor.claims import Claim
from nodes.tutor.facts import (
    Compared,
    Entry,
    Fact,
    Found,
    Match,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
)
from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.entities import entities_of
from nodes.tutor.helping.node_data import observation_of
from nodes.tutor.moves import Answer, Ask, Assert, Link, Move, Propose, Request
from nodes.tutor.observations import Footprint, Observation
from nodes.tutor.proof_graph import Node, NodeKind, ProofGraph
from nodes.tutor.turns import Outcome, Turn

_FACTS: TypeAdapter[list[Fact]] = TypeAdapter(list[Fact])


def written_facts(observation: Observation) -> tuple[Fact, ...]:
    """Stands in for `observing.reading.facts_of`."""
    return tuple(_FACTS.validate_json(observation.stdout or "[]"))


def fresh_graph(game: Game) -> ProofGraph:
    graph = ProofGraph()
    graph.add(Node(id="g", kind="goal", turn=0, data={"text": game.goal}))
    for number, target in enumerate(game.targets, 1):
        graph.add(Node(id=f"k{number}", kind="constraint", turn=0, data=target.model_dump(mode="json")))
    return graph


class Play:
    """One game that is being played.

    Args:
        game: its files are what the tools read; its expected claims are what is true.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.graph = fresh_graph(game)
        self.turns: list[Turn] = []
        self.won = False
        self._true = {claim.key for claim in game.expected}
        self._put: dict[str, str] = {}
        self._known: set[str] = set()

    def play(self, move: Move) -> Turn:
        """Play a move; the turn it makes."""
        number = len(self.turns) + 1
        action = self._add("action", "a", number, move.model_dump(mode="json"))
        made: dict[str, object] = {"action": action}
        if isinstance(move, Propose):
            made |= self._observe(move.request, number, action)
        elif isinstance(move, Assert):
            made |= self._assert(move.claim, move.evidence, number)
        elif isinstance(move, Link):
            self.graph.nodes[move.claim].data["evidence"] += move.evidence
            made |= self._judge(move.claim, number)
        elif isinstance(move, Ask):
            made["question"] = self._add("question", "q", number, {"text": move.question})
        elif isinstance(move, Answer):
            made |= self._answer(move.claims)
        signature = json.dumps(move.model_dump(mode="json"), sort_keys=True)
        fields = {"outcome": "played", "message": "", **made}
        self.turns.append(
            Turn(number=number, given={}, move=move.move, signature=signature, **fields)  # type: ignore[arg-type]
        )
        return self.turns[-1]

    def _add(
        self, kind: NodeKind, letter: str, turn: int, data: Mapping[str, object], status: str = ""
    ) -> str:
        name = f"{letter}{self.graph.count(kind) + 1}"
        self.graph.add(Node(id=name, kind=kind, turn=turn, status=status, data=dict(data)))
        return name

    def _observe(self, request: Request, turn: int, action: str) -> dict[str, object]:
        facts = facts_shown(self.game.files, request)
        if facts is None:
            return {"outcome": "failed", "message": "There is no such file."}
        paths = request.args.get("paths") or [request.args.get("path", ".")]
        observation = Observation(
            id=f"o{self.graph.count('observation') + 1}",
            game="test",
            turn=turn,
            tool=request.tool,
            args=request.args,
            command=f"{request.tool} {' '.join(paths)}",
            returncode=0,
            stdout=_FACTS.dump_json(facts).decode(),
            footprint=Footprint(paths=tuple(paths), deep=request.tool in ("grep", "find")),
        ).sealed()
        name = self._add("observation", "o", turn, observation.model_dump(mode="json"))
        self.graph.join("produces", action, name, turn)
        for entity in entities_of(facts):
            known = self._add("entity", "e", turn, {"kind": entity.kind, "text": entity.text})
            self.graph.join("mentions", name, known, turn)
        new = {fact.model_dump_json() for fact in facts} - self._known
        self._known |= new
        return {"observation": name, "novel": bool(new)}

    def _assert(self, claim: Claim, evidence: Sequence[str], turn: int) -> dict[str, object]:
        name = self._put.get(claim.key)
        if name is None:
            data = {**claim.model_dump(mode="json"), "evidence": list(evidence)}
            name = self._put[claim.key] = self._add("claim", "c", turn, data, "proposed")
            for number, target in enumerate(self.game.targets, 1):
                if target.has_form(claim):
                    self.graph.join("targets", name, f"k{number}", turn)
        return self._judge(name, turn)

    def _judge(self, name: str, turn: int) -> dict[str, object]:
        node = self.graph.nodes[name]
        claim = Claim.model_validate({key: node.data[key] for key in Claim.model_fields})
        shown = {
            path for one in node.data["evidence"] for path in _read(observation_of(self.graph.nodes[one]))
        }
        about = {claim.subject, claim.scope}
        node.status = "validated" if claim.key in self._true and about & shown else "undecidable"
        if node.status == "validated":
            for one in node.data["evidence"]:
                self.graph.join("supports", one, name, turn)
        outcome: Outcome = "played" if node.status == "validated" else "rejected"
        return {"claim": name, "status": node.status, "novel": node.status == "validated", "outcome": outcome}

    def _answer(self, claims: Sequence[str]) -> dict[str, object]:
        named = [self.graph.nodes[name] for name in claims]
        fills = len(named) == len(self.game.targets) and all(node.status == "validated" for node in named)
        self.won = self.won or fills
        return {"outcome": "won" if fills else "rejected"}


def facts_shown(files: Mapping[str, str], request: Request) -> list[Fact] | None:
    """What a tool call shows of files in memory; None if it names a path there is none of."""
    args = request.args
    paths = args.get("paths") or [args.get("path", ".")]
    if request.tool == "ls":
        found = _entries(files, paths[0], deep=False)
        return None if found is None else [Search(directory=paths[0], depth=1, found=tuple(found))]
    if request.tool == "find":
        entries = _entries(files, paths[0], deep=True)
        named = args.get("name", "*")
        chosen = [one for one in entries or () if fnmatchcase(one.path.rpartition("/")[2], named)]
        files_only = tuple(one for one in chosen if one.kind == "file")
        return None if entries is None else [Search(directory=paths[0], kind="file", found=files_only)]
    if request.tool == "grep":
        return _matched(files, str(args["pattern"]), counted=bool(args.get("count")))
    if any(path not in files for path in paths):
        return None
    if request.tool == "wc":
        return [Measure(path=path, unit="lines", value=files[path].count("\n")) for path in paths]
    if request.tool == "diff":
        return [Compared(old=paths[0], new=paths[1], same=files[paths[0]] == files[paths[1]])]
    return [Entry(path=paths[0], kind="file"), Text(path=paths[0], text=files[paths[0]])]


def _read(observation: Observation | None) -> Iterator[str]:
    for fact in written_facts(observation) if observation is not None else ():
        if isinstance(fact, Text | Matches):
            yield fact.path


def _entries(files: Mapping[str, str], directory: str, *, deep: bool) -> list[Found] | None:
    above = "" if directory == "." else f"{directory}/"
    below = [path.removeprefix(above) for path in files if path.startswith(above)]
    found: dict[str, Found] = {}
    for path in below:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1 if deep else 2):
            name = above + "/".join(parts[:depth])
            found[name] = Found(path=name, kind="file" if depth == len(parts) else "directory")
    return list(found.values()) or None


def _matched(files: Mapping[str, str], literal: str, *, counted: bool) -> list[Fact]:
    facts: list[Fact] = []
    for path, text in files.items():
        lines = text.split("\n")
        hits = [Match(path=path, number=at, text=line) for at, line in enumerate(lines, 1) if literal in line]
        if hits:
            shown = None if counted else tuple(hits)
            facts.append(Matches(path=path, literal=literal, count=len(hits), lines=shown))
    named = tuple(fact.path for fact in facts if isinstance(fact, Matches))
    return [*facts, Searched(directory=".", literal=literal, files=named)]


def _words(draw: Random, many: int) -> list[str]:
    return ["".join(draw.choices("bcdfghklmnprstvw", k=5)) for _ in range(many)]


def token_game(seed: int) -> Game:
    """A token in one of thirty files: the kindest game there is, since one search shows it."""
    draw = Random(f"token {seed}")
    names = _words(draw, 36)
    token = f"TK-{draw.randrange(10**6):06d}"
    paths = [f"{draw.choice(names[:6])}/{name}.txt" for name in names[6:]]
    files = {path: "\n".join(_words(draw, 8)) + "\n" for path in paths}
    holder = draw.choice(paths)
    files[holder] += f"code {token}\n"
    return Game(
        id="token",
        seed=seed,
        band="search",
        title="Token",
        goal=f'Exactly one file holds "{token}". Claim that it contains it.',
        files=files,
        targets=(Target(predicate="contains", open=frozenset({"subject"}), value=token, wanted="the file"),),
        expected=(Claim(predicate="contains", subject=holder, value=token),),
        needed=(("grep", "."),),
        most_turns=14,
    )


def setting_game(seed: int) -> Game:
    """One wrong setting among twenty."""
    draw = Random(f"setting {seed}")
    values = {name: draw.randrange(1000) for name in _words(draw, 20)}
    wrong = draw.choice(list(values))
    files = {"conf/app.json": json.dumps({"server": values}, indent=1), "conf/old.json": "{}"}
    files |= {f"doc/{name}.md": "nothing\n" for name in _words(draw, 6)}
    target = Target(
        predicate="value_of",
        open=frozenset({"subject", "value"}),
        scope="conf/app.json",
        wanted="the setting",
    )
    return Game(
        id="setting",
        seed=seed,
        band="formal",
        title="Setting",
        goal="Which setting of conf/app.json breaks its schema?",
        files=files,
        targets=(target,),
        expected=(
            Claim(
                predicate="value_of", subject=f"server.{wrong}", value=values[wrong], scope="conf/app.json"
            ),
        ),
        needed=(("cat", "conf/app.json"),),
        most_turns=14,
    )


def chain_game(seed: int) -> Game:
    """A chain of imports, each module its own part of the answer."""
    draw = Random(f"chain {seed}")
    names = _words(draw, 9)
    chain = names[:4]
    files = {f"{name}.py": f"import {draw.choice(names)}\n" for name in names[4:]}
    for name, after in zip(chain, chain[1:], strict=False):
        files[f"{name}.py"] = f"import {after}\nimport {draw.choice(names[4:])}\n"
    files[f"{chain[-1]}.py"] = "def run():\n    return 1\n"
    chained = [
        Target(predicate="imports", open=frozenset({"subject", "value"}), wanted=f"step {step}")
        for step in range(1, 4)
    ]
    return Game(
        id="chain",
        seed=seed,
        band="formal",
        title="Chain",
        goal=f"How does {chain[0]}.py come to `run`?",
        files=files,
        targets=tuple(chained),
        expected=tuple(
            Claim(predicate="imports", subject=f"{name}.py", value=after)
            for name, after in zip(chain, chain[1:], strict=False)
        ),
        needed=tuple(("cat", f"{name}.py") for name in chain[:3]),
        most_turns=22,
    )


GAMES = {"token": token_game, "setting": setting_game, "chain": chain_game}
