"""Servers that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.redis_servers import Cluster, Server, Watched, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server on a port; whoever breaks it takes one of their own."""
    with running(Server(tmp_path_factory.mktemp("alone"))) as started:
        yield started


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may be broken."""
    with running(Server(tmp_path_factory.mktemp("own"))) as started:
        yield started


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three primaries and three replicas."""
    with running(Cluster(tmp_path_factory.mktemp("cluster"))) as started:
        yield started


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A primary and a replica under three sentinels."""
    with running(Watched(tmp_path_factory.mktemp("watched"))) as started:
        yield started
