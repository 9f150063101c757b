"""Matches that are over: the record of one, and one told again as somebody saw it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.errors import BadReplay
from engine.lens import view_name, viewers
from engine.replay import Replay
from engine.retelling import ALL, retell
from engine.table import Viewer
from rooms.library import NotOver
from rooms.places import Rooms
from server.doorkeeper import Doorkeeper
from server.protocol import Story, StoryStep
from server.replies import No, answer, guarded, the_game, the_room
from server.stored import Stored

KEPT = 64  # stories that are kept for the next one who asks
_json = msgspec.json.Encoder()


class ReplaysApi:
    """Answers questions about finished matches. Before the end, and to whoever could not have watched, it says no."""

    def __init__(self, host: Rooms, door: Doorkeeper) -> None:
        self.library = host.library
        self.door = door
        self._stories: OrderedDict[tuple[str, str], Stored] = OrderedDict()

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/rooms/{room}/replay", guarded(self.replay)),
            Route("/api/rooms/{room}/replay/{view}", guarded(self.story)),
        ]

    async def replay(self, request: Request) -> Response:
        """The whole match, after its end: what anybody needs to play it again."""
        return answer(await self._replay(request))

    async def story(self, request: Request) -> Response:
        """The match step by step, as a seat, the audience or all together saw it; played again and checked for that."""
        replay = await self._replay(request)
        key = (the_room(request), str(request.path_params["view"]))
        viewer = _viewer(key[1], len(replay.seats))
        if key not in self._stories:
            try:
                self._stories[key] = await asyncio.to_thread(_tell, replay, viewer)
            except BadReplay as no:
                raise No(409, "bad_replay", f"This match cannot be played again here: {no}.") from None
        self._stories.move_to_end(key)
        while len(self._stories) > KEPT:
            self._stories.popitem(last=False)
        return self._stories[key].reply(request)

    async def _replay(self, request: Request) -> Replay:
        user = await self.door.perhaps(request)
        try:
            replay = await self.library.replay(the_room(request), user.id if user is not None else "")
        except NotOver:
            raise No(403, "not_over", "A replay can be seen after the end, by whoever could have watched.") from None
        if replay is None:
            raise No(404, "no_room", "There is no such room, or it is gone.")
        return replay


def _viewer(name: str, seats: int) -> Viewer | None:
    known = {view_name(viewer): viewer for viewer in viewers(seats)}
    if name != ALL and name not in known:
        raise No(404, "no_view", f"A match is seen as {', '.join(known)} or {ALL}.")
    return known.get(name)


def _tell(replay: Replay, viewer: Viewer | None) -> Stored:
    first, *rest = retell(the_game(replay.game), replay, viewer)
    by = {entry.v: entry for entry in replay.inputs}
    steps = [StoryStep(one.v, one.patch, one.events, by[one.v].seat, by[one.v].at) for one in rest]
    story = Story(
        game=replay.game,
        seats=replay.seats,
        v=first.v,
        view=first.patch,
        events=first.events,
        steps=steps,
        checked=True,
    )
    return Stored(_json.encode(story), "application/json")
