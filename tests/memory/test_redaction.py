from __future__ import annotations

import hashlib
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.redaction import HIDDEN, may_hold_secret, redact, redact_record

# Put together here so that secret scanners do not take this file for a leak.
LONG = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"
UPPER = "ABCDEFGH12345678"
SECRETS = {
    "openai": "sk-" + LONG,
    "openai project": "sk-" + "proj-" + LONG,
    "anthropic": "sk-" + "ant-api03-" + LONG,
    "stripe": "sk" + "_live_" + LONG,
    "github": "gh" + "p_" + LONG,
    "github fine": "github" + "_pat_" + LONG,
    "gitlab": "gl" + "pat-" + LONG,
    "hugging face": "h" + "f_" + LONG,
    "aws id": "AK" + "IA" + UPPER,
    "google": "AI" + "za" + LONG,
    "slack": "xox" + "b-123456789012-" + LONG,
    "npm": "np" + "m_" + LONG,
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + LONG,
    "sendgrid": "S" + "G." + LONG + "." + LONG,
    "age": "AGE-SECRET" + "-KEY-1" + UPPER * 3,
}
KEY_KINDS = (
    "RSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "EC PRIVATE KEY",
    "PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
)
# text with the secret as {}, and the secret
NAMED = [
    ("password={}", "hunter2x"),
    ("PASSWORD = '{}'", "hunter 2 with spaces"),
    ('"password": "{}"', "hunter2x"),
    ("db_password: {}", "hunter2x"),
    ("mysql --password={} -u root", "hunter2x"),
    ("login --api-key {} now", "plainvalue"),
    ("export API_KEY={}", "0badcafe0badcafe"),
    ("OPENAI_API_KEY={}\nPATH=/bin", "whatever-it-is"),
    ("AWS_SECRET_ACCESS_KEY={}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"),
    ("aws_session_token = {}", "Fwo/Gz+Xabc=="),
    ("client_secret: '{}'", "abc~def"),
    ("TOKEN_2={}", "abcdefgh"),
    ("DJANGO_SECRET={}", "abcdefgh"),
    ("AccountKey={};EndpointSuffix=core", "Zm9vYmFy" * 4 + "=="),
    ("Authorization: Bearer {}", "abc123.def456-ghi"),
    ("curl -H 'authorization: token {}' x", "abcdef0123456789"),
    ("Authorization: Basic {}", "dXNlcjpwYXNzd29yZA=="),
    ("postgres://app:{}@db.internal:5432/app", "s3cr3t%21"),
    ("mongodb+srv://app:{}@cluster/x", "s3cr3t"),
    ("redis://:{}@localhost", "s3cr3t"),
    ("https://hooks.slack.com/services/{}", "T000/B000/" + LONG),
]
INNOCENT = [
    "commit " + hashlib.sha1(b"a").hexdigest(),
    hashlib.sha256(b"a").hexdigest() + "  src/app/tokens.py",
    "/usr/share/keyboards/passwd.d/token/secret/key.pem",
    "src/auth/password_reset.py:12:def password_reset(token: str, secret: bytes = None):",
    "password = os.environ['DB_PASSWORD']",
    "api_key=settings.api_key",
    "password=None, token=True, max_tokens=4096",
    "password: ${DB_PASSWORD}",
    "--token <TOKEN>",
    "if token == other: return secret_key != key",
    "the token expired; a bearer of bad news; basic usage: run it",
    "total tokens: 812",
    "http://localhost:11434/api/chat and https://example.org/a@b",
    "git@github.com:owner/repo.git",
    "task-management-of-the-very-long-desk-name",
    "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----",
]


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("place", ["{}", "see {} here", "x='{}'", '["{}"]', "line\n{}\nline", "({}),", "é{}"])
def test_secrets_with_a_known_prefix_are_hidden_anywhere(kind: str, place: str) -> None:
    redacted = redact(place.format(SECRETS[kind]))
    assert SECRETS[kind] not in redacted and LONG not in redacted and UPPER not in redacted
    assert HIDDEN in redacted


@pytest.mark.parametrize(("text", "secret"), NAMED)
def test_named_secrets_are_hidden_and_the_rest_still_reads(text: str, secret: str) -> None:
    assert redact(text.format(secret)) == text.format(HIDDEN)


@pytest.mark.parametrize("kind", KEY_KINDS)
@pytest.mark.parametrize("cut", [False, True])
def test_private_keys_are_hidden_even_when_cut(kind: str, cut: bool) -> None:
    body = "MIIEpAIBAAKCAQEA\n" * 5
    text = f"before\n-----BEGIN {kind}-----\n{body}" + ("" if cut else f"-----END {kind}-----\nafter")
    redacted = redact(text)
    assert "MIIE" not in redacted and redacted.startswith("before\n")
    assert cut or redacted.endswith("\nafter")


@pytest.mark.parametrize("text", INNOCENT)
def test_hashes_paths_and_code_are_left_alone(text: str) -> None:
    assert redact(text) == text


def test_every_secret_of_one_text_is_hidden() -> None:
    text = "\n".join([*SECRETS.values(), *(text.format(secret) for text, secret in NAMED)])
    redacted = redact(text)
    for secret in [*SECRETS.values(), *(secret for _, secret in NAMED)]:
        assert secret not in redacted


pieces = st.sampled_from(
    [
        *SECRETS.values(),
        *INNOCENT,
        *(text.format(secret) for text, secret in NAMED),
        HIDDEN,
        "password=",
        "token ",
    ]
)


@pytest.mark.parametrize("second", SECRETS.values())
def test_a_secret_right_behind_another_is_hidden(second: str) -> None:
    first = "AGE-SECRET-KEY-1ABCDEFGH12345678ABCDEFGH12345678ABCDEFGH12345678"
    assert "sk-aB3dE5fG7" not in redact(f"{first}sk-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z")
    once = redact(f"{first}{second}")
    assert redact(once) == once


@given(st.lists(pieces | st.text(max_size=12), max_size=8), st.sampled_from(["", " ", "\n", '"', "=", ","]))
def test_redacting_twice_changes_nothing(parts: list[str], between: str) -> None:
    once = redact(between.join(parts))
    assert redact(once) == once


@pytest.mark.parametrize(
    "text", ["password" * 50_000, "a_" * 200_000, "://" * 130_000, "=" * 400_000, "key " * 90_000]
)
def test_long_hostile_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    redact("token=" + text)
    assert time.process_time() - started < 10, "a quadratic pattern takes minutes"


def test_records_are_redacted_by_key_and_by_text_at_any_depth() -> None:
    record = {
        "env": {"DB_PASSWORD": "hunter2x", "HOME": "/home/me", "token": None, "max_tokens": 12},
        "argv": ["curl", "--token", "--header=Authorization: Bearer abc123def456"],
        SECRETS["github"]: 1.5,
    }
    assert redact_record(record) == {
        "env": {"DB_PASSWORD": HIDDEN, "HOME": "/home/me", "token": None, "max_tokens": 12},
        "argv": ["curl", "--token", f"--header=Authorization: Bearer {HIDDEN}"],
        HIDDEN: 1.5,
    }
    assert redact_record(redact_record(record)) == redact_record(record)


OLD_SCREEN = re.compile(
    r"(?i)-----BEGIN|pass|pwd|secret|key|token|credential|bearer|basic|://|[sprh]k[-_]|gh[opsru]_|github_pat"
    r"|gl[prdfst]|hf_|AKIA|ASIA|AROA|AIDA|AIza|ya29|xox|xapp|npm_|pypi-|SG\.|do[opr]_v1|eyJ|whsec|hooks\."
)
PIECES = st.sampled_from(
    ["-----BEGIN", "pAss", "PWD", "\u212aey", "to\u212aen", "ba\u017fic", "a\u017fia", "bas\u0131c", "sk-",
     "PK_", "rk-", "ghO_", "glP", "GITHUB_pat", "hf_", "DOO_v1", "eYj", "whsec", "hooks.", "npm_", "pypi-",
     "sg.", "://", "-", "_", "x", "git"]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=3), max_size=6).map("".join))
def test_the_quick_look_passes_over_nothing_a_secret_could_be_in(text: str) -> None:
    assert may_hold_secret(text) or not OLD_SCREEN.search(text)


@given(st.dictionaries(PIECES | st.text(max_size=4), PIECES | st.text(max_size=4), max_size=3))
def test_a_record_that_passed_the_quick_look_is_left_as_it_is(record: dict[str, str]) -> None:
    texts = "\0".join([*record, *record.values()])
    assert may_hold_secret(texts) or redact_record(record) == record


GLUED = ["-e{}", "grep -F -n -e{} -- b.md", "grep '-e{}'", "git log -S{}", '{{"a": "x\\n{}"}}', "?q=a%20{}"]


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("place", GLUED)
def test_secrets_right_behind_an_option_or_an_escape_are_hidden(kind: str, place: str) -> None:
    redacted = redact(place.format(SECRETS[kind]))
    assert SECRETS[kind] not in redacted and LONG not in redacted and UPPER not in redacted


@pytest.mark.parametrize("place", GLUED)
@pytest.mark.parametrize("text", ["password=hunter2hunter2", "Bearer hunter2hunter2"])
def test_named_secrets_right_behind_an_option_or_an_escape_are_hidden(text: str, place: str) -> None:
    assert "hunter2" not in redact(place.format(text))


@pytest.mark.parametrize(
    "text", ["please-ask-the-administrator-now.md", "git switch feature-ask-for-permission-x"]
)
def test_words_with_hyphens_are_left_alone(text: str) -> None:
    assert redact(text) == text
