"""Changes that are asked for in other languages than English are changes; questions are questions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.changes import wants_change
from memory.recipes.exemplars import load_exemplars

PATH = st.from_regex(r"\A(?:[a-z]{3,8}/){0,2}[a-z]{3,8}\.(?:txt|bak|csv|md|ini)\Z")
ORDERS = {
    "fr": ["supprime {}", "Supprimer {}", "peux-tu effacer {} ?",
           "Cherche les fichiers vides et supprime-les",
           "dans {}, remplace 8 par 9", "crée un fichier {} avec le texte bonjour"],
    "de": ["lösche {}", "{} löschen", "Lösche bitte {}", "Kannst du {} löschen?", "In {} ersetze 8 durch 9",
           "Lege eine Datei {} an", "Suche leere Dateien und lösche sie", "Benenne {} in neu.txt um"],
    "es": ["borra {}", "Por favor, elimina {}", "¿Puedes borrar {}?", "crea un archivo {} con hola",
           "busca los archivos vacíos y bórralos", "En {}, cambia el puerto a 9000"],
    "it": ["elimina {}", "Puoi cancellare {}?", "rinomina {} in nuovo.txt", "crea un file {} con ciao",
           "trova i file vuoti e cancellali", "Nel file {} sostituisci 8 con 9"],
    "zh": ["删除 {}", "请帮我删除 {}", "把 {} 删掉", "在 {} 中把 8 改成 9", "新建文件 {}",
           "找出空文件并删除", "可以把 {} 删除吗?", "把 {} 重命名为 new.txt"],
}  # fmt: skip
QUESTIONS = {
    "fr": ["Combien de lignes a {} ?", "qui a supprimé {} ?", "comment supprimer {} ?", "affiche {}",
           "Peux-tu me dire comment supprimer un fichier ?", "Liste les fichiers supprimés"],
    "de": ["Wie viele Zeilen hat {}?", "Welcher Commit hat {} gelöscht?", "Wie lösche ich {}?", "zeige {}",
           "Zeige die zuletzt geänderten Dateien", "Kannst du mir sagen, wie man {} löscht?"],
    "es": ["¿Cuántas líneas tiene {}?", "¿Quién borró {}?", "¿Cómo borro {}?", "muestra {}",
           "lista los archivos eliminados"],
    "it": ["Quante righe ha {}?", "Chi ha cancellato {}?", "Come elimino {}?", "mostra {}",
           "elenca i file cancellati"],
    "zh": ["{} 有多少行?", "谁删除了 {}?", "怎么删除 {}?", "显示 {}", "列出已删除的文件",
           "哪些提交删除了 {}?"],
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(ORDERS))
@settings(max_examples=25, deadline=None)
@given(data=st.data(), path=PATH)
def test_an_order_is_a_change_whatever_file_it_names(language: str, data: st.DataObject, path: str) -> None:
    goal = data.draw(st.sampled_from(ORDERS[language])).format(path)
    assert wants_change(goal), goal


@pytest.mark.parametrize("language", sorted(QUESTIONS))
@settings(max_examples=25, deadline=None)
@given(data=st.data(), path=PATH)
def test_a_question_is_none_though_it_speaks_of_changes(
    language: str, data: st.DataObject, path: str
) -> None:
    goal = data.draw(st.sampled_from(QUESTIONS[language])).format(path)
    assert not wants_change(goal), goal


def test_nothing_that_needs_no_tool_is_taken_for_an_order() -> None:
    """What can be answered by heart changes no file; English has wordings of its own for that."""
    foreign = [one.goal for one in load_exemplars() if one.label == "bypass" and one.language != "en"]
    assert len(foreign) > 100 and [goal for goal in foreign if wants_change(goal)] == []


@pytest.mark.parametrize(
    "goal",
    [
        "In config/app.ini, replace 'retries' by 'attempts'",
        "Set debug to false in config/default.yaml",
        "Change the port in server.ini to 9000",
    ],
)
def test_a_place_or_a_word_of_the_file_hides_no_order_in_english(goal: str) -> None:
    assert wants_change(goal)


@pytest.mark.parametrize("goal", ["In config.ini, which ports are set?", "In a.txt, how often is set used?"])
def test_a_place_before_a_question_makes_no_order(goal: str) -> None:
    assert not wants_change(goal)
