import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.search.extraction.decoding import decode
from tools.search.extraction.document import Unreadable

TRADITIONAL = "經濟部今天公布第三季外銷訂單統計，金額較去年同期增加，主要動能來自伺服器需求。"
SIMPLIFIED = "国家统计局今天公布数据，第三季度国内生产总值同比增长，经济运行总体平稳。"
JAPANESE = "経済産業省は輸出額が前年より増えたと発表した。これからも続くという。"
KOREAN = "경제부는 수출이 증가했다고 밝혔다. 올해도 계속될 것으로 보인다."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TRADITIONAL, "big5"), (SIMPLIFIED, "gb18030"), (JAPANESE, "shift_jis"), (KOREAN, "euc_kr"),
        ("Größe, façade, naïve, señor: the café was déjà vu.", "cp1252"),
    ],
)  # fmt: skip
def test_other_encodings_are_read_and_told(text: str, encoding: str) -> None:
    read, notes = decode(text.encode(encoding))
    assert read == text
    assert len(notes) == 1 and "read as" in notes[0]


@given(st.text(st.characters(exclude_characters="\0\r\ufeff", exclude_categories=["Cs"])))
def test_utf_8_with_and_without_a_mark_and_utf_16_are_read_exactly(text: str) -> None:
    for content in (text.encode(), text.encode("utf-8-sig"), text.encode("utf-16")):
        assert decode(content) == (text, [])


def test_a_file_of_two_encodings_is_read_line_by_line() -> None:
    lines = [f"第{n}行：{TRADITIONAL}" for n in range(6)]
    content = b"\n".join(line.encode("big5" if n in (2, 3) else "utf-8") for n, line in enumerate(lines))
    text, notes = decode(content)
    assert text.split("\n") == lines
    assert notes == ["is UTF-8 but for 2 lines from line 3 on, which were read as big5"]


def test_a_cut_character_at_the_end_is_left_off() -> None:
    assert decode("出口".encode()[:-1]) == ("出", ["ends in the middle of a character"])


def test_line_ends_become_line_feeds() -> None:
    assert decode(b"a\r\nb\rc\n")[0] == "a\nb\nc\n"


@pytest.mark.parametrize("content", [b"PK\x03\x04\x00\x00", b"\xff\x00\x81\x00\x00\x90"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(Unreadable, match="NUL"):
        decode(content)
