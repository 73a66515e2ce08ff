"""The given material as far as it fits, both ends of it, and what does not is counted."""

from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import DefaultModelSettings, ModelsSettings, Settings
from models.identifiers import ModelId
from models.prompt_size import estimate_tokens
from models.roles import RoleModels
from models.selection import ModelChoice
from nodes.contractive.material import LEAST_ROOM, fitting


def models(window: int = 4096) -> RoleModels:
    default = DefaultModelSettings(num_ctx=window)
    chosen = Settings(models=ModelsSettings(default=default))
    return RoleModels(chosen, ModelChoice(ModelId.parse("scripted:none"), "as asked"))


def test_what_fits_is_left_alone() -> None:
    assert fitting(models(), "Why?", "A short text.") == ("A short text.", 0)
    assert fitting(models(), "Why?", "") == ("", 0)


@settings(deadline=None, max_examples=30)
@given(
    word=st.sampled_from(["word ", "价格是多少", "0123456789", "\n\n- point", "aB3$ "]),
    times=st.integers(1, 20_000),
    window=st.sampled_from([512, 2048, 4096, 16_384]),
)
def test_whatever_is_given_the_rest_fits_and_the_loss_is_counted(word: str, times: int, window: int) -> None:
    context = f"BEGIN {word * times} END"
    text, lost = fitting(models(window), "How much is it?", context)
    assert (lost == 0) == (text == context)
    if lost:
        assert text.startswith("BEGIN") and text.endswith("END")
        assert estimate_tokens(text) <= max(LEAST_ROOM, window - min(512, window // 2) - 900)
        assert len(context) - lost < len(text) < len(context)


def test_a_larger_window_loses_less() -> None:
    context = "a word of it " * 4000
    losses = [fitting(models(window), "Why?", context)[1] for window in (2048, 8192, 65_536)]
    assert losses[0] > losses[1] > losses[2] == 0
