from evals.bench_trace import bytes_of_an_entry, entry_microseconds, summary_milliseconds


def test_figures_are_measured() -> None:
    assert entry_microseconds(rounds=20) > 0 and summary_milliseconds(rounds=2) > 0
    in_memory, on_disk = bytes_of_an_entry(entries=20)
    assert in_memory > 100 and 200 < on_disk < 1000
