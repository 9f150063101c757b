"""What the service counts about itself, for Prometheus.

Counting happens on the busiest paths, so a count is a plain number here and becomes a metric only when somebody asks.
No label ever holds a card, a name or a user; labels come from short fixed lists, and what is not on them is `other`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
LABELS = 64  # different values a label may take

_WORD = re.compile(r"-?[a-z0-9_]{1,40}")

NUMBERS = {  # counts without a label
    "frames_in": "Messages from clients.",
    "frames_out": "Messages to clients.",
    "bytes_in": "Bytes of messages from clients.",
    "bytes_out": "Bytes of messages to clients.",
    "handshakes": "Connections asked for.",
    "handshakes_refused": "Connections refused before they were opened.",
    "sessions": "Guest sessions opened.",
    "takeovers": "Rooms taken over from another owner.",
    "outbox_collapses": "Times a slow peer was sent one snap instead of all it missed.",
    "stalls": "Peers cut off because they took nothing.",
    "slowed": "Times a fast player was not listened to for a moment.",
    "view_mismatches": "Views that were not what their checksum says; must stay 0.",
}
LABELLED = {  # counts with one
    "commands": ("kind", "Commands from clients."),
    "refusals": ("code", "Commands refused."),
    "commits": ("result", "Commits by what the store answered."),
    "resumes": ("kind", "Returns to a room, by delta or snap."),
    "breaches": ("kind", "Undecodable, oversized or too frequent frames."),
    "closes": ("code", "Connections closed, by code."),
    "matches_over": ("reason", "Matches that ended."),
    "thoughts": ("result", "Thoughts of bots, by what came of them."),
    "archived": ("result", "Finished matches brought to the archive, filed or failed."),
    "recounts": ("result", "Finished matches played again, by what that has shown."),
}
WAITING = "Finished matches in the store that are not in the archive yet."
LEVELS = {  # what is so right now
    "connections": ("role", "Open connections."),
    "rooms": ("status", "Rooms this process owns."),
    "queue": ("mode", "Players waiting to be matched."),
}


class Tally(Counter[str]):
    """Counts by a label that cannot run away."""

    def add(self, label: str | int, count: int = 1) -> None:
        """Count under this label, or under `other` if it is strange or one too many."""
        name = str(label)
        if name not in self and (len(self) >= LABELS or not _WORD.fullmatch(name)):
            name = "other"
        self[name] += count


class Timing:
    """How long something took, in buckets."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus wants them: each includes those before it."""
        so_far, rows = 0, []
        for bound, count in zip([*map(str, BOUNDS), "+Inf"], self.counts, strict=True):
            so_far += count
            rows.append((bound, float(so_far)))
        return rows


class Metrics(Collector):
    """Every count of one process: `metrics.frames_in += 1`, `metrics.refusals.add("not_your_turn")`."""

    def __init__(self) -> None:
        self.frames_in = self.frames_out = self.bytes_in = self.bytes_out = 0
        self.handshakes = self.handshakes_refused = self.sessions = 0
        self.takeovers = self.outbox_collapses = self.stalls = self.slowed = self.view_mismatches = 0
        self.commands, self.refusals, self.commits = Tally(), Tally(), Tally()
        self.resumes, self.breaches, self.closes, self.matches_over = Tally(), Tally(), Tally(), Tally()
        self.thoughts, self.archived, self.recounts = Tally(), Tally(), Tally()
        self.results_waiting = 0
        self.connections, self.rooms, self.queue = Tally(), Tally(), Tally()
        self.commit_seconds, self.command_seconds = Timing(), Timing()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Turn the numbers into metrics."""
        for name, text in NUMBERS.items():
            yield CounterMetricFamily(f"upcard_{name}", text, value=getattr(self, name))
        for name, (label, text) in LABELLED.items():
            yield _labelled(CounterMetricFamily(f"upcard_{name}", text, labels=[label]), getattr(self, name))
        for name, (label, text) in LEVELS.items():
            yield _labelled(GaugeMetricFamily(f"upcard_{name}", text, labels=[label]), getattr(self, name))
        yield GaugeMetricFamily("upcard_results_waiting", WAITING, value=self.results_waiting)
        yield _timed("commit_seconds", "From a commit's sending to its answer.", self.commit_seconds)
        yield _timed("command_seconds", "From a command's arrival to its answer.", self.command_seconds)

    def describe(self) -> Iterable[Metric]:
        """Nothing needs to be known before somebody asks."""
        return ()


def _labelled(family: CounterMetricFamily | GaugeMetricFamily, tally: Tally) -> Metric:
    for label, count in sorted(tally.items()):
        family.add_metric([label], count)
    return family


def _timed(name: str, text: str, timing: Timing) -> Metric:
    return HistogramMetricFamily(f"upcard_{name}", text, buckets=timing.buckets(), sum_value=timing.total)
