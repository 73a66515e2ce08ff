"""Who held a post and lost it, and who took it over."""

from __future__ import annotations

import pytest

from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.offices import lost

LOST = [
    ("Ferreira", "The orchestra's new conductor, Hana Ito, takes over from Paulo Ferreira in the spring."),
    ("Ferreira", "Paulo Ferreira, who had led the orchestra since 2011, stepped down in June."),
    ("Ferreira", "Ferreira was succeeded by his assistant, Hana Ito."),
    ("Ferreira", "After Ferreira's resignation the players chose Hana Ito."),
    ("Ferreira", "Hana Ito followed Paulo Ferreira as conductor in June."),
    ("Delmont Rail", "Delmont Rail, which ran the night trains until March, lost its licence."),
    ("Delmont Rail", "The operator Delmont Rail went into liquidation and Norrbahn runs the trains."),
    ("Delmont Rail", "The ministry has terminated its contract with Delmont Rail."),
    ("Okafor", "The club sacked Emeka Okafor after six defeats."),
    ("Okafor", "Emeka Okafor has since moved to Lagos to coach the national side."),
    ("潘文澤", "動物園園長一職由黎安琪接替退休的潘文澤。"),
    ("潘文澤", "潘文澤去年底因病請辭，由黎安琪代理園長。"),
    ("潘文澤", "黎安琪接替潘文澤出任園長。"),
    ("宏拓客運", "承攬接駁車的宏拓客運宣布破產。"),
    ("宏拓客運", "接駁車原由宏拓客運營運，今年起改由日昇交通經營。"),
    ("宏拓客運", "市府與宏拓客運解約，另行招標。"),
    ("潘文澤", "前園長潘文澤出席了典禮。"),
]
KEPT = [
    ("Ito", "Hana Ito takes over from Paulo Ferreira in the spring."),
    ("Ito", "Hana Ito, who succeeded Paulo Ferreira, remains in charge."),
    ("Ito", "The conductor, Hana Ito, left the stage to long applause."),
    ("Norrbahn", "Delmont Rail collapsed in March and Norrbahn took over the night trains."),
    ("Norrbahn", "Norrbahn replaced the old carriages last year."),
    ("Okafor", "Emeka Okafor said his captain had been injured."),
    ("Okafor", "The team finished second under Emeka Okafor."),
    ("Okafor", "Emeka Okafor replaced two players at half-time."),
    ("黎安琪", "黎安琪接替潘文澤出任園長。"),
    ("黎安琪", "潘文澤退休後，園長由黎安琪接任。"),
    ("黎安琪", "園長黎安琪說，新館六月開放。"),
    ("日昇交通", "宏拓客運退出後，由日昇交通接手營運。"),
    ("日昇交通", "日昇交通取代宏拓客運經營接駁車。"),
    ("黎安琪", "黎安琪認為，園區步道必須改善。"),
]


@pytest.mark.parametrize(("holder", "text"), LOST)
def test_who_left_or_was_put_out_lost_the_post(holder: str, text: str) -> None:
    assert lost(fold(holder), facts_of(fold(text)))


@pytest.mark.parametrize(("holder", "text"), KEPT)
def test_who_took_over_or_did_something_else_has_it(holder: str, text: str) -> None:
    assert not lost(fold(holder), facts_of(fold(text)))
