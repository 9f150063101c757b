"""Properties are tried on the same examples every time, so that a failure here is a failure everywhere."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "upcard",
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("upcard")
