"""What all tests share: how many examples Hypothesis generates, and from which seed."""

import os

from hypothesis import settings

# In continuous integration the same examples come up in every run; elsewhere new ones are tried.
# No deadline: a slow machine is no counterexample.
_REPRODUCIBLE = os.environ.get("CI") == "true"

for _name, _examples in {"quick": 20, "default": 100, "thorough": 2000}.items():
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=_REPRODUCIBLE,
        print_blob=True,
    )
settings.load_profile("default")  # `--hypothesis-profile` names another one
