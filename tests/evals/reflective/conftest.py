"""One generated project for every test of the suite; none of them changes it."""

import pytest

from evals.reflective.generated_project import Project, write_project


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return write_project(tmp_path_factory.mktemp("project") / "p", 11)
