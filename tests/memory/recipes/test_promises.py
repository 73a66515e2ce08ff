"""What a goal asks for beyond an answer: precise on purpose, for a promise nobody made spoils a success."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.commitments import parted, registered
from memory.recipes.promises import read_promises

ANNA = "send_email:anna@example.org"
ASKED = [
    ("find the notes about Tesla and e-mail them to anna@example.org", [ANNA], "find the notes about Tesla"),
    ("Search for Tesla documents and email them", ["send_email"], "Search for Tesla documents"),
    ("list the python files, then mail the list to Anna", ["send_email"], "list the python files"),
    ("which files mention rain? Please email them to anna@example.org.", [ANNA], "which files mention rain"),
    ("which files mention rain and e-mail them to anna@example.org", [ANNA], "which files mention rain"),
    ("e-mail the list of python files to anna@example.org", [ANNA], "the list of python files"),
    ("Please send anna@example.org the largest file", [ANNA], "the largest file"),
    ("could you forward the newest log to my boss?", ["send_email"], "the newest log"),
    ("send an email to anna@example.org saying hello", [ANNA], ""),
    ("email anna@example.org that the meeting moved", [ANNA], ""),
    ("count the lines of a.txt and send the result to anna@example.org", [ANNA], "count the lines of a.txt"),
    ("count the commits; afterwards e-mail me the number", ["send_email"], "count the commits"),
    ("find TODO comments and email the results to anna@example.org please", [ANNA], None),
    (
        "find the reports and send them to anna@example.org as attachments",
        [ANNA, "attach_documents"],
        "find the reports",
    ),
    ("list the files that mention Tesla and attach them", ["attach_documents"], None),
    ("find the pdfs and attach them to an e-mail", ["attach_documents"], "find the pdfs"),
    ("attach report.pdf to the ticket", ["attach_documents"], None),
    ("find report.pdf, attach it and send it to anna@example.org", ["attach_documents", ANNA], None),
    ("what's in notes.txt, and can you email it to anna@example.org?", [ANNA], "what's in notes.txt"),
    ("send a mail to anna@example.org with the list of python files", [ANNA], "the list of python files"),
    ("find the three largest files & email the list to anna@example.org", [ANNA], None),
    ("list files larger than 1 MB and then delete big.bin", ["delete_file:big.bin"], None),
    ("save the list of python files to list.txt", ["write_file:list.txt"], None),
    ("find all TODO comments and save them to todo.md", ["write_file:todo.md"], None),
    ("count the commits by author, then export the result as stats/authors.csv",
     ["write_file:stats/authors.csv"], None),
    ("which files mention rain? Write the answer to rain.txt", ["write_file:rain.txt"], None),
    ("count the todo comments and write the result to `todo.txt`", ["write_file:todo.txt"], None),
    ("create a file shopping.txt that says milk and bread", ["write_file:shopping.txt"], None),
    ("please create notes/today.md with the text hello", ["write_file:notes/today.md"], None),
    ('write a new file called "to do.txt" that says milk', ["write_file:to do.txt"], None),
    ("delete notes.txt", ["delete_file:notes.txt"], None),
    ("can you please remove the file old/data.csv?", ["delete_file:old/data.csv"], None),
    ("rename draft.md to final.md and delete old.md", ["move_file:draft.md", "delete_file:old.md"], None),
    ("move a.txt to archive/a.txt", ["move_file:a.txt"], None),
    ("create a folder called reports", ["make_directory:reports"], None),
    ("I want you to delete data/old.csv and create the file new.csv",
     ["delete_file:data/old.csv", "write_file:new.csv"], None),
]  # fmt: skip
ORDINARY = [
    "which files send e-mail?",
    "find where attachments are handled",
    "how do I write a file?",
    "where do we parse the form and send it to support@example.org?",
    "find the code that sends mail to anna@example.org",
    "how do I parse a file and email it to bob@example.org?",
    'find the text "and email it to anna@example.org"',
    "does the script email them to admin@example.org?",
    "which functions read the config and email it to bob@example.org",
    "list all email addresses",
    "grep for send_email in src",
    "who sent the last commit to main?",
    "what does attach_documents do?",
    "send me the list of python files",
    "show me the notes about Tesla",
    "search for Tesla and send me the results",
    "what is a mail server?",
    "explain how the app sends e-mails and saves them to sent.log",
    "is there a function that saves the result to out.json?",
    "which tests write to tmp.txt?",
    "find the function that deletes notes.txt",
    "who deleted notes.txt?",
    "when was config.ini renamed to settings.ini?",
    "why does the job export the report to report.csv?",
    "do not email anyone, just list the files",
    "list the files but don't send them to anna@example.org",
    "how many files were moved to archive/?",
    "which commit created shopping.txt?",
    "print the first line of notes.txt",
    "what happens when users attach a file and send it to support@example.org?",
    "find all occurrences of mail in docs",
    "how is the attachment saved to disk?",
    "explain where we read the file and write it to out.txt",
    "what are the subjects of the mails in inbox/?",
    "does anything remove cache.db?",
    "attach a debugger to the process",
    "what is the difference between save and export?",
    "hello",
    "add setup.py to .gitignore",
    "write setup.py documentation",
    "write the summary to docs/",
    "put the results in build/out",
    "write main.py's docstring anew",
    "who emails the nightly report to anna@example.org?",
    "tell me which file sends the newsletter",
    "list functions that attach files to messages",
    "find functions that open and delete notes.txt",
    "search the docs for how to attach them to an email",
    "find the e-mail to anna@example.org in inbox.mbox",
    "write a haiku about rain",
]


def test_there_are_enough_of_both() -> None:
    assert len(ASKED) + len(ORDINARY) >= 60 and min(len(ASKED), len(ORDINARY)) >= 30


@pytest.mark.parametrize(("goal", "owed", "question"), ASKED)
def test_what_is_asked_for_in_so_many_words_is_owed(goal: str, owed: list[str], question: str | None) -> None:
    promises = read_promises(goal)
    assert list(promises.commitments) == owed
    if question is not None:
        assert promises.question == question


@pytest.mark.parametrize("goal", ORDINARY)
def test_an_ordinary_question_owes_nothing_and_stays_as_it_is(goal: str) -> None:
    assert read_promises(goal).commitments == ()
    assert read_promises(goal).question == goal


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_any_text_is_read_and_owes_only_what_can_be_checked(goal: str) -> None:
    promises = read_promises(goal)
    assert {parted(name)[0] for name in promises.commitments} <= set(registered())
    if not promises.commitments:
        assert promises.question == goal


WORDS = st.sampled_from(
    ["and", "email", "them", "to", "anna@example.org", "find", "the", "notes", ",", "attach", "send",
     "save", "it", '"a b"', "list.txt", "then", "which", "files", "please", "?"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_the_question_never_holds_words_the_goal_does_not(goal: str) -> None:
    promises = read_promises(goal)
    written = goal.replace("?", " ").replace(",", " ").split()
    left = promises.question.replace("?", " ").replace(",", " ").split()
    assert all(word in written for word in left)
