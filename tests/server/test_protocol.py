"""The protocol is what we say it is: golden frames, the published documents, and what real matches send."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Raw, Struct

from cards import find_game
from engine.match import Match
from engine.merge import merge
from engine.offers import at_random
from rooms import wire
from server.commands import drive, spec
from server.protocol import SUBPROTOCOLS, ClockRequest, Close, RoomRequest, Then, WatchRequest
from server.spec import components, json_schema, openapi, typescript
from server.spec import spec as asyncapi
from server.spec.documents import ANSWERS, COMMANDS, FRAMES
from server.spec.example import BLOCK, refresh, run
from server.spec.schema import STRUCTS
from server.spec.shapes import DriveLine, Event, Open
from server.spec.words import FIELDS
from tests.server.conftest import Upcard
from tests.server.schemas import look_up, mistakes

HERE = Path(__file__).parent / "golden_frames"
ROOT = Path(__file__).parents[2]
SCHEMA = json_schema()
DEFS = SCHEMA["$defs"]

commands = msgspec.json.Decoder(wire.AnyCommand)
frames = msgspec.json.Decoder(wire.AnyFrame)
packed_commands = msgspec.msgpack.Decoder(wire.AnyCommand)
packed_frames = msgspec.msgpack.Decoder(wire.AnyFrame)


class Case(Struct):
    """A golden frame, byte for byte; or a command, all the ways to write it, and what they all mean."""

    about: str
    sent: list[Raw] = []
    means: Raw = Raw()
    frame: Raw = Raw()


def golden(side: str) -> list[Any]:
    files = sorted(HERE.glob(f"{side}.*.json"))
    return [
        pytest.param(case, id=f"{path.stem}: {case.about}")
        for path in files
        for case in msgspec.json.decode(path.read_bytes(), type=list[Case])
    ]


def wrong(value: Any, name: str) -> list[str]:
    return list(mistakes(value, DEFS[name], SCHEMA))


# golden frames


@pytest.mark.parametrize("case", golden("command"))
def test_a_command_is_read_however_it_is_written(case: Case) -> None:
    for sent in case.sent:
        command = commands.decode(sent)
        assert msgspec.json.encode(command) == bytes(case.means)
        packed = msgspec.msgpack.encode(msgspec.json.decode(sent))
        assert packed_commands.decode(packed) == command


@pytest.mark.parametrize("case", golden("frame"))
def test_a_frame_is_written_byte_for_byte(case: Case) -> None:
    frame = frames.decode(case.frame)
    assert msgspec.json.encode(frame) == bytes(case.frame)
    packed = msgspec.msgpack.encode(frame)
    assert packed_frames.decode(packed) == frame
    assert msgspec.json.encode(msgspec.msgpack.decode(packed)) == bytes(case.frame)


def test_every_message_has_golden_frames() -> None:
    wanted = {f"command.{tag}" for tag in COMMANDS} | {f"frame.{tag}" for tag in FRAMES}
    assert {path.stem for path in HERE.glob("*.json")} == wanted
    for path in HERE.glob("*.json"):
        tag = path.stem.partition(".")[2]
        for case in msgspec.json.decode(path.read_bytes(), type=list[Case]):
            for raw in [*case.sent, *([case.means] if case.sent else [case.frame])]:
                assert msgspec.json.decode(raw)["t"] == tag


def test_absent_and_null_differ_in_a_delta() -> None:
    absent, null = frames.decode(b'{"t":"delta","room":"r","v":1}'), wire.Delta(room="r", v=1, ask=None)
    assert absent == wire.Delta(room="r", v=1)
    assert absent != null
    assert msgspec.json.encode(null) == b'{"t":"delta","room":"r","v":1,"ask":null}'


# what is refused


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ('{"t":"cheat","i":"1"}', "Invalid value 'cheat' - at `$.t`"),
        ('{"i":"1"}', "missing required field `t`"),
        ('{"t":"act","i":"1","room":"r","do":{}}', "missing required field `n`"),
        ('{"t":"act","i":"1","room":"r","n":0,"do":{}}', "Expected `int` >= 1 - at `$.n`"),
        ('{"t":"act","i":"1","room":"r","n":1.5,"do":{}}', "Expected `int`, got `float` - at `$.n`"),
        ('{"t":"act","i":"1","room":"r","n":1,"do":[]}', "Expected `object`, got `array` - at `$.do`"),
        ('{"t":"leave","room":"r"}', "missing required field `i`"),
        ('{"t":"leave","i":"%s","room":"r"}' % ("x" * 33), "length <= 32 - at `$.i`"),
        ('{"t":"say","i":"1","room":"r","text":"%s"}' % ("x" * 201), "length <= 200 - at `$.text`"),
        ('{"t":"propose","i":"1","room":"r","what":"marriage"}', "Invalid enum value 'marriage' - at `$.what`"),
        ("[]", "Expected `object`, got `array`"),
        ('{"t":"ping","i":"1"', "Input data was truncated"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(sent: str, why: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=re.escape(why)):
        commands.decode(sent)


@pytest.mark.parametrize(
    "clock", [{}, {"base": 0}, {"base": 1, "decision": 1}, {"inc": 5}, {"days": 32}, {"decision": -1}]
)
def test_a_clock_counts_in_exactly_one_way(clock: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"game": "ggltcg", "clock": clock}, RoomRequest)


def test_a_request_becomes_what_a_room_keeps() -> None:
    clock = msgspec.convert({"base": 180_000, "inc": 2000}, ClockRequest).agreed()
    assert (clock.base, clock.inc, clock.each) == (180_000, 2000, 0)
    watch = msgspec.convert({"who": "code", "delay": {"ms": 30_000}}, WatchRequest).agreed()
    assert (watch.who, watch.delay.ms, watch.delay.moves) == ("code", 30_000, 0)


@pytest.mark.parametrize("seat", ["you", "bot:", "bot:../x", "Bot:greedy", ""])
def test_a_seat_is_mine_open_or_a_bots(seat: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"game": "ggltcg", "seats": ["me", seat]}, RoomRequest)


# the published documents


def test_the_documents_are_up_to_date(upcard: Upcard) -> None:
    assert spec.drifted() == []
    assert upcard("spec", "--check") == (0, "Everything is up to date.\n", "")


def test_a_document_that_has_drifted_is_named(upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "ROOT", tmp_path)
    for path in ("pyproject.toml", *spec.documents()):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes((ROOT / path).read_bytes())
    stale = tmp_path / "server" / "web" / "upcard.wire.d.ts"
    stale.write_text("old")
    status, out, _ = upcard("spec", "--check")
    assert (status, stale.read_text()) == (1, "old")
    assert out == "server/web/upcard.wire.d.ts is out of date; `upcard spec` writes it anew\n"
    assert upcard("spec") == (0, "wrote server/web/upcard.wire.d.ts\n", "")
    assert stale.read_text() == typescript()
    assert upcard("spec", "--check").status == 0


def test_an_installed_copy_has_no_documents_to_write(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spec, "ROOT", tmp_path)
    assert upcard("spec").status == 2
    assert list(tmp_path.iterdir()) == []


def test_every_field_is_explained_and_nothing_else() -> None:
    fields = {(name, field) for name, schema in components().items() for field in schema.get("properties", ())}
    known = {f"{name}.{field}" for name, field in fields} | {field for _, field in fields}
    assert FIELDS.keys() <= known


@pytest.mark.parametrize("case", [*golden("command"), *golden("frame")])
def test_golden_frames_fit_the_schema(case: Case) -> None:
    for raw in case.sent:
        assert wrong(msgspec.json.decode(raw), "Command") == []
    if not case.sent:
        assert wrong(msgspec.json.decode(case.frame), "Frame") == []


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "ok"},
        {"t": "err", "code": "x", "text": "x"},
        {"t": "snap", "room": "r", "epoch": "0", "v": 0, "view": None},
        {"t": "delta", "room": "r", "v": 1, "offers": None},
        {"t": "delta", "room": "r", "v": 1, "events": [{"e": "exploded"}]},
        {"t": "presence", "room": "r", "seats": {"0": {}}, "watchers": 0},
    ],
)
def test_the_schema_notices_what_we_never_send(frame: dict[str, Any]) -> None:
    assert wrong(frame, "Frame")


@pytest.mark.parametrize("seed", ["1", "two", "iii", "4!"])
def test_what_a_match_sends_fits_the_schema(seed: str) -> None:
    luck = Random(seed)
    driver = drive.Drive(Match.deal(find_game("ggltcg"), seats=2, seed=seed))
    assert wrong(plain(driver.opening()), "DriveOpening") == []
    for _ in range(150):
        if driver.match.over:
            break
        seat = luck.choice(driver.match.waiting())
        line = {"seat": seat, "do": at_random(driver.match.offers(seat), luck.randrange)}
        assert wrong(line, "DriveLine") == []
        assert wrong(plain(driver.answer(msgspec.json.encode(line))), "DriveStep") == []
    assert wrong(plain(driver.answer(b"{")), "DriveError") == []
    assert wrong(plain(driver.answer(b'{"seat":0,"do":{"type":"dance"}}')), "DriveError") == []


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_drive_reads_what_is_written_down() -> None:
    assert set(DriveLine.__struct_fields__) == set(drive.Command.__struct_fields__)


def test_references_lead_somewhere() -> None:
    for document in (asyncapi(), openapi(), json_schema()):
        for reference in re.findall(r'"\$ref":"([^"]+)"', msgspec.json.encode(document).decode()):
            assert look_up(document, reference)


def test_every_command_and_frame_is_an_operation() -> None:
    document = asyncapi()
    operations = document["operations"]
    for tag in COMMANDS:
        assert operations[f"hear.{tag}"]["action"] == "receive"
    answers = {frame for frames in ANSWERS.values() for frame in frames}
    told = {name.removeprefix("tell.") for name in operations if name.startswith("tell.")}
    assert told | answers == set(FRAMES)
    assert told.isdisjoint(answers)
    assert document["channels"]["socket"]["x-subprotocols"] == list(SUBPROTOCOLS)


def test_the_older_draft_has_no_newer_words() -> None:
    text = msgspec.json.encode(asyncapi()).decode()
    assert "prefixItems" not in text
    assert not re.search(r'"items":false', text)
    assert not re.search(r'"\$ref":"[^"]+",', text)


def test_the_http_document_covers_every_call() -> None:
    paths = openapi()["paths"]
    told = re.findall(r"`(?:GET|POST) (/[\w/{}]*)", (ROOT / "docs" / "protocol.md").read_text())
    assert {path for path in told if path != "/ws"} == set(paths)


# close codes


def test_every_close_code_is_there() -> None:
    assert [int(code) for code in Close] == [1000, 4400, 4401, 4403, 4406, 4409, 4429, 4500, 4503, 4508]
    assert all(code.meaning.endswith(".") for code in Close)
    assert Close(4409) is Close.ELSEWHERE
    assert {code for code in Close if code.then is Then.RESUME} == {Close.OUR_FAULT, Close.DRAINING, Close.TOO_SLOW}
    assert {code for code in Close if code.then is Then.RETRY} == {Close.TOO_FAST}


def test_the_page_lists_the_same_close_codes() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text().partition("## Close codes")[2].partition("\n## ")[0]
    assert [int(code) for code in re.findall(r"^\| (\d{4}) \|", page, re.MULTILINE)] == list(Close)
    for code in Close:
        assert code.meaning in page


# TypeScript


def test_the_types_name_every_message() -> None:
    text = typescript()
    for tag, name in (*COMMANDS.items(), *FRAMES.items()):
        assert re.search(rf'export interface {name} {{\n  t: "{tag}";', text)
    for event in get_args(Event):
        assert f"export interface {event.__name__} {{\n  e:" in text
    assert "export type Command = Hello | Join |" in text
    assert "export type Frame = Welcome | Ok |" in text
    for code in Close:
        assert f"| {int(code)}" in text


def test_the_types_say_what_may_be_absent_and_what_may_be_null() -> None:
    text = typescript()
    delta = text.partition("export interface Delta {")[2].partition("}")[0]
    assert "  ask?: Question | null;" in delta
    assert "  offers?: Offer[];" in delta
    assert "  v: number;" in delta
    err = text.partition("export interface Err {")[2].partition("}")[0]
    assert "  retry: boolean;" in err


def test_the_types_are_well_formed() -> None:
    """No compiler is at hand everywhere, so: balanced, every name declared once, nothing left unnamed."""
    text = re.sub(r"/\*.*?\*/", "", typescript(), flags=re.DOTALL)
    for pair in ("{}", "[]", "()", "<>"):
        assert text.count(pair[0]) == text.count(pair[1])
    declared = re.findall(r"export (?:interface|type) (\w+)", text)
    assert len(declared) == len(set(declared))
    used = set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", text)))
    assert used <= {*declared, "Record"}
    for name, struct in STRUCTS.items():
        if issubclass(struct, Open) and name in declared:
            assert "[fact: string]: unknown;" in text.partition(f"export interface {name} {{")[2].partition("}")[0]


# the page for people


def test_the_worked_example_is_what_really_comes() -> None:
    """The whole page is compared above; here: that it shows what it says it shows."""
    page = (ROOT / "docs" / "protocol.md").read_text()
    assert refresh(page) == page
    told = run()
    other = told["seats"]["other"]
    assert merge(told["0"]["views"][other], told["1"]["patches"][other]) == told["merged"][other]
    card = str(told["sent"]["1"]["do"]["card"])
    assert card not in told["0"]["views"][other]["cards"]
    assert card in told["1"]["patches"][other]["cards"]
    assert told["2"]["err"]["code"] == "not_your_turn"
    assert len(BLOCK.findall(page)) >= 7
    assert '"card"' in page.partition("<!-- shown: offer -->")[2].partition("```\n")[0]
