"""A part added to a request is honoured, or the whole is declined: never a shorter request answered."""

from __future__ import annotations

import pytest

from memory.recipes.requests.draft import Facts
from memory.recipes.requests.left_out import asks_more, asks_of_machine
from memory.recipes.requests.read import read_requests
from tests.memory.recipes.requests.known import draft_of, text_of

WORLD = {
    "docs": "directory",
    "src/lib": "directory",
    "a.txt": "file",
    "b.txt": "file",
    "data/t.csv": "file",
    "b.sh": "file",
    "docs/old": "directory",
    "lnk": "link",
}
LISTED = ("docs/x.conf", "docs/y.conf")
REQUESTS = [
    "list all files in docs",
    "find all .txt files in docs",
    "count the files in docs",
    "find all directories in docs",
    "find files larger than 2 MB in docs",
    "find files modified in the last 3 days",
    "show the 3 largest files in docs",
    "find all empty files in docs",
    'find all files that contain "x" in docs',
    "list the contents of docs",
    "calculate the total size of all .txt files in docs",
    "print a.txt",
    "count the lines in a.txt",
    "print the first 3 lines of a.txt",
    'print the lines of a.txt that contain "x"',
    'count the lines in a.txt that start with "x"',
    "print lines 2 to 4 of a.txt",
    "sort a.txt",
    "print the second column of data/t.csv",
    "calculate the sum of the second column of data/t.csv",
    "print the unique lines in a.txt",
    "show the permissions of b.sh",
    "print the md5 checksum of a.txt",
    "print the size of a.txt",
    "print the current date",
    "show the differences between a.txt and b.txt",
    "print a.txt without empty lines",
    "print the numbers from 1 to 5",
    "print the lines of a.txt that contain a digit",
    "check if a.txt exists",
    "show the disk usage of docs",
    "create a directory new",
    "copy a.txt to c.txt",
    "delete all .conf files in docs",
    "make b.sh executable",
    "replace \"x\" with \"y\" in a.txt",
    "delete line 2 of a.txt",
    "sort a.txt and save the result to out.txt",
    "move all .conf files in docs to src/lib",
    "compress docs into docs.tar.gz",
]  # fmt: skip
ADDED = [
    "that are owned by user bob",
    "but not those in docs/old",
    "excluding .log files",
    "except the newest one",
    "which nobody has read this year",
    "for user bob",
    "of the system",
    "for each of them",
    "per directory",
    "grouped by extension",
    "and then delete it",
    "and mail the result to bob",
    "and count them",
    "and print the total",
    "then compress it",
    "and write a summary",
    "sorted by size in reverse",
    "sorted by number of words",
    "in random order",
    "in JSON format",
    "as a table",
    "separated by commas",
    "on a single line",
    "with a header",
    "with line lengths",
    "in upper case",
    "in gigabytes",
    "in human readable form",
    "rounded to two decimals",
    "in hexadecimal",
    "without the path",
    "with the full path",
    "with inode numbers",
    "after 5 pm",
    "every ten minutes",
    "before 2020-01-01",
    "in the last hour",
    "only on weekdays",
    "unless it is empty",
    "if it is larger than 1 MB",
    "in this directory only",
    "without following links",
    "up to 3 levels deep",
    "in all subdirectories that start with z",
    "using the user's locale",
    "ignoring case",
    "ignoring comments",
    "with at least two words",
    "twice",
    "once per file",
    "starting from the end",
    "skipping the first two",
    "with duplicates removed",
    "containing both x and y",
    "using a space as the delimiter",
    "and keep a backup",
    "as root",
    "in the background",
]
# A table of a .csv file is separated by commas, said or not.
SAME = {("separated by commas", request) for request in REQUESTS if "t.csv" in request}
STRIDE = 9


def understood(goal: str) -> set[str]:
    """Everything the readings that fit would do, and what they look up for it."""
    draft = draft_of(goal, WORLD, LISTED, dict.fromkeys(WORLD, 0o644))
    if draft is None:
        return set()
    facts = Facts({".": "directory", **WORLD}, {}, {}, (), (), "/root")
    looked_up = [
        str((parsed.listings, [printer(facts) for printer in parsed.outputs]))
        for parsed in read_requests(goal)
    ]
    return {text_of(draft), *looked_up}


def left_out(request: str, added: str) -> list[str]:
    """The wordings of a request with an addition whose plan is that of the request alone."""
    base = understood(request)
    assert base, request
    goals = (f"{request} {added}", f"{request}, {added}")
    return [goal for goal in goals if (added, request) not in SAME and understood(goal) == base]


@pytest.mark.parametrize("place", range(len(REQUESTS)))
def test_what_is_added_changes_the_plan_or_there_is_none(place: int) -> None:
    request = REQUESTS[place]
    assert [goal for added in ADDED[place % STRIDE :: STRIDE] for goal in left_out(request, added)] == []


@pytest.mark.integration
@pytest.mark.parametrize("request_", REQUESTS)
def test_no_addition_at_all_is_left_out(request_: str) -> None:
    assert [goal for added in ADDED for goal in left_out(request_, added)] == []


@pytest.mark.parametrize(
    "goal",
    [
        "show how much memory is free",
        "how many CPU cores does this machine have?",
        "list all running processes",
        "who is logged in?",
        "print the hostname",
        "show the uptime of the system",
        "what is my IP address? show the network interfaces",
        "list the mounted file systems",
        "print all environment variables",
        "which users are logged on?",
        "count the processes of user bob",
        "list all users on the system",
        "how much swap space is used",
        "what is the default shell",
        "list the installed packages",
        "show the open ports",
    ],
)
def test_what_is_asked_of_the_machine_is_no_question_about_files(goal: str) -> None:
    assert asks_of_machine(goal)


@pytest.mark.parametrize(
    "goal",
    [
        "which files mention memory?",
        "where is the environment variable HARBOUR_STATE read",
        "how many functions handle processes?",
        "find the class that reads the hostname",
        "list processes.py",
        'which lines contain "uptime"',
        "what does the README say of installed packages",
    ],
)
def test_what_a_project_says_of_machines_is_a_question_about_files(goal: str) -> None:
    assert not asks_more(goal)


@pytest.mark.parametrize(
    "goal", ["print a.txt to q.txt", "dump the log of a.txt into q.txt", "pack . into all.tar.gz"]
)
def test_where_an_output_goes_is_no_question_whether_that_is_there(goal: str) -> None:
    assert asks_more(goal)


@pytest.mark.parametrize("goal", ["print references to a.txt", "look into a.py", "print a.txt"])
def test_a_file_that_is_looked_at_is_no_place_for_an_output(goal: str) -> None:
    assert not asks_more(goal)


def test_what_was_not_done_to_files_rules_out_none_of_them() -> None:
    (parsed,) = read_requests("locate files that have not been modified for more than 50 days")
    assert parsed.id == "list"
