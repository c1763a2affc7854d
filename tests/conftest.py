"""What holds for the whole suite."""

from hypothesis import settings

# A busy machine is no failure, and every run tries the same examples.
settings.register_profile("hydralab", deadline=None, derandomize=True)
settings.load_profile("hydralab")
