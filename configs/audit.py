"""Settings of the audit kernels: what is looked at, and from which figures on something is recommended."""

from __future__ import annotations

from pydantic import Field

from configs.section import Section


class RiskWeights(Section):
    """Points each term of a file's risk may bring; what a score is made of is shown in every report."""

    complexity: float = Field(30.0, ge=0, le=100, description="Cyclomatic and cognitive complexity.")
    changes: float = Field(20.0, ge=0, le=100, description="Commits that changed the file.")
    security: float = Field(30.0, ge=0, le=100, description="Findings of the scanner.")
    coupling: float = Field(10.0, ge=0, le=100, description="Modules it hangs together with; cycles.")
    duplication: float = Field(
        10.0, ge=0, le=100, description="Share of its lines that stand elsewhere, too."
    )


class AuditSettings(Section):
    """What an audit looks at."""

    most_files: int = Field(20_000, ge=1, description="Source files at most; the rest is reported.")
    most_bytes: int = Field(2_000_000, ge=1000, description="Bytes of a file that is read.")
    file_seconds: float = Field(
        20.0, gt=0, le=600, description="Seconds of processor time one file may take a kernel."
    )
    processes: int | None = Field(None, ge=1, le=64, description="Unset: one for each core, four at most.")
    most_commits: int = Field(
        50_000, ge=1, description="The newest ones that are read; the rest is reported."
    )
    history_seconds: float = Field(120.0, gt=0, le=3600, description="Seconds git may take.")
    exclude: tuple[str, ...] = Field(
        (), description="Globs of paths that are left out, beside what git ignores and usual build folders."
    )
    most_cyclomatic: int = Field(10, ge=1, description="Limit of a function (McCabe 1976).")
    most_cognitive: int = Field(15, ge=1, description="Limit of a function (SonarSource's default).")
    most_function_lines: int = Field(60, ge=5, description="Limit of a function, in lines of code.")
    most_parameters: int = Field(7, ge=1, description="Limit of a function.")
    most_module_lines: int = Field(800, ge=20, description="Limit of a module, in lines of code.")
    least_duplicate_tokens: int = Field(
        100, ge=20, description="Tokens in a row that stand twice before they count as duplicated."
    )
    most_recommendations: int = Field(
        200, ge=1, description="Recommendations of a report; how many more there are is told."
    )
    risk: RiskWeights = RiskWeights()
