"""From a card's JSON to the words that the engine speaks.

A behaviour becomes a deed: what it takes and the program that it runs. One that listens becomes an ability of the card,
and so does whatever bends prices or protects for as long as the card is in play. What makes no sense is told with its
path in the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from cards.mars.entries import MODIFIERS, Entries
from cards.mars.facts import RESOURCES, STORED, Card, Deed
from cards.mars.schema import AlwaysOn, Behavior, Choice, Input, Output, Row, Trigger
from cards.mars.sense import nonsense
from cards.mars.vocabulary import effects
from engine.effects import Ability, by_topic
from engine.errors import BadCards
from engine.frames import Program, Word, word

ALWAYS: tuple[str, ...] = get_args(AlwaysOn)
AIMED = frozenset({"take_away", "steal", "add_to", "add_any", "remove_from", "steal_from"})
OF = {"self-player": "mine", "any-player": "any", "opponent": "theirs"}


class Lowering(Entries):
    """One card on its way into words; collects everything that is wrong with it."""

    def __init__(self, row: Row, places: frozenset[str]) -> None:
        super().__init__(places)
        self.row = row
        self.abilities: list[Ability] = []

    def card(self) -> Card:
        """The card made ready. Raises with everything that makes no sense."""
        row = self.row
        for path, text in nonsense(row):
            self.wrong(path, text)
        deeds = [self.deed(n, behavior) for n, behavior in enumerate(row.behaviors)]
        found = Card(
            name=row.name,
            id=row.id,
            text=row.description,
            type=row.type,
            cost=row.cost,
            tags=(*row.tags, "event") if row.type == "event" else row.tags,
            needs=row.requirements.items if row.requirements else (),
            deeds=self._with_one_action(deeds),
            plays=self._numbers("auto"),
            action=self._action(deeds),
            starts=self._numbers("auto-corporation-start"),
            firsts=self._numbers("auto-corporation-first-action"),
            storage=row.resource_storage,
            points=row.vp_conditions,
            pack=row.pack,
            copies=row.copies,
            abilities=tuple(self.abilities),
            by=by_topic(self.abilities),
        )
        self._whole(found)
        if self.mistakes:
            raise BadCards(self.mistakes)
        return found

    def _numbers(self, type: str) -> tuple[int, ...]:
        return tuple(
            n
            for n, behavior in enumerate(self.row.behaviors)
            if behavior.triggers[0].type == type and behavior.triggers[0].condition is None
        )

    def _action(self, deeds: Sequence[Deed]) -> int:
        """The deed that an action does: the only one, or the one that lets the player choose between several."""
        manual = self._numbers("manual")
        return -1 if not manual else manual[0] if len(manual) == 1 else len(deeds)

    def _with_one_action(self, deeds: list[Deed]) -> tuple[Deed, ...]:
        manual = self._numbers("manual")
        if len(manual) < 2:
            return tuple(deeds)
        branches = tuple(replace(deeds[n], name=str(place)) for place, n in enumerate(manual))
        if any(branch.branches for branch in branches):
            self.wrong("behaviors", "one of several manual behaviours has choices; make it one behaviour")
        return (*deeds, Deed(program=(word("branch", n=len(deeds)),), branches=branches))

    # behaviours

    def deed(self, n: int, behavior: Behavior) -> Deed:
        """A behaviour as a deed; what lasts goes among the abilities of the card."""
        path, trigger = f"behaviors[{n}]", behavior.triggers[0]
        listens = trigger.condition is not None and trigger.condition.type not in ALWAYS
        passing, lasting = self._sorted(path, behavior, trigger.type)
        self._bear(path, lasting)
        found = self._half(path, behavior.inputs, passing, listens)
        if behavior.custom is not None:
            found = replace(
                found, program=(*found.program, *self.checked(path, Word(behavior.custom.do, behavior.custom.args)))
            )
        branches = tuple(
            self._branch(f"{path}.choices[{k}]", k, one, listens) for k, one in enumerate(behavior.choices)
        )
        if branches:
            found = replace(found, program=(*found.program, word("choose" if listens else "branch", n=n)), aimed=False)
        if listens:
            self._listen(n, behavior, found)
        self._sensible(path, behavior, found, branches, bool(lasting))
        return replace(
            found,
            branches=branches,
            text=behavior.description,
            happened=behavior.generational_event_requirements,
            condition=trigger.condition,
        )

    def _sensible(self, path: str, behavior: Behavior, deed: Deed, branches: Sequence[Deed], lasts: bool) -> None:
        """Whether a behaviour does something, and knows what it speaks of."""
        condition = behavior.triggers[0].condition
        halves = (deed, *branches)
        words = [one for half in halves for one in half.program]
        if not (words or lasts) and not any(mistake.startswith(path) for mistake in self.mistakes):
            self.wrong(path, "it does nothing; it needs outputs, choices or a custom procedure")
        if condition is not None and condition.type in ALWAYS and words:
            self.wrong(path, "what is always on bends or protects; it gives nothing")
        if condition is None and any(one.args.get("there") for one in words):
            self.wrong(path, "only a passive knows the card that set it off")
        if any(one.args.get("variable") for one in words) and not any(half.varies for half in halves):
            self.wrong(path, "nothing says how many; an input must vary too")

    def _sorted(self, path: str, behavior: Behavior, type: str) -> tuple[list[tuple[str, Output]], list[Output]]:
        """Outputs that happen once, with their paths, and modifiers that last."""
        passing, lasting = [], []
        for k, output in enumerate(behavior.outputs):
            if output.type in MODIFIERS and output.lasting is None:
                if type == "manual" or self.row.type == "event":
                    self.wrong(
                        f"{path}.outputs[{k}]", f"a {output.type} lasts; a card that does not needs lasting: next-card"
                    )
                lasting.append(output)
            else:
                passing.append((f"{path}.outputs[{k}]", output))
        return passing, lasting

    def _branch(self, path: str, k: int, choice: Choice, listens: bool) -> Deed:
        outputs = [(f"{path}.outputs[{n}]", output) for n, output in enumerate(choice.outputs)]
        found = self._half(path, choice.inputs, outputs, listens)
        if not found.program and not found.credits:
            self.wrong(path, "it does nothing; a choice needs inputs or outputs")
        needs = choice.requirements.items if choice.requirements else ()
        return replace(found, name=choice.id or str(k), text=choice.description, needs=needs)

    def _half(self, path: str, inputs: Iterable[Input], outputs: Sequence[tuple[str, Output]], listens: bool) -> Deed:
        """What is taken and given, without what may be chosen."""
        taken = [(f"{path}.inputs[{k}]", entry) for k, entry in enumerate(inputs)]
        program = [one for where, entry in taken for one in self.checked(where, *self.input(where, entry, listens))]
        given = [one for where, words in self.outputs(outputs) for one in self.checked(where, *words)]
        return Deed(
            program=(*program, *given),
            aimed=bool(given) and all(one.name in AIMED for one in given),
            forces=tuple((one.args["resource"], one.args["amount"]) for one in given if one.name == "lower_any"),
            makes=tuple(
                _made(one) for one in (*program, *given) if one.name == "produce" and not one.args.get("variable")
            ),
            **_bill(entry for _, entry in taken),
        )

    def _listen(self, n: int, behavior: Behavior, deed: Deed) -> None:
        condition = behavior.triggers[0].condition
        assert condition is not None
        if behavior.triggers[0].type != "auto":
            self.wrong(f"behaviors[{n}].triggers[0]", "only an auto trigger has a condition")
        ability = effects.ability(word(condition.type, n=n))
        self.abilities.append(replace(ability, of=OF[condition.target]))

    # what lasts

    def _bear(self, path: str, lasting: Iterable[Output]) -> None:
        for output in lasting:
            args: dict[str, Any] = {"amount": output.amount}
            if output.selectors:
                args["selectors"] = output.selectors
            if output.type == "defense":
                args["whole"] = output.target != "self-card"
            for one in self.checked(path, Word(output.type, args)):
                self.abilities.append(effects.ability(one))

    # the card as a whole

    def _whole(self, card: Card) -> None:
        choosing = [n for n in card.plays if card.deeds[n].branches]
        if len(choosing) > 1:
            self.wrong(f"behaviors[{choosing[1]}]", "only one behaviour can be chosen from when a card is played")
        if card.type == "corporation" and (card.cost or card.needs):
            self.wrong("cost", "a corporation costs nothing and requires nothing")
        if card.type != "corporation" and (card.starts or card.firsts):
            self.wrong("behaviors", "only a corporation has a start or a first action")
        if card.type == "event" and (card.action >= 0 or card.by):
            self.wrong("behaviors", "an event does not stay; it has no action and hears nothing")
        self._holds(card)

    def _holds(self, card: Card) -> None:
        kind = card.storage.type if card.storage else None
        for n, deed in enumerate(card.deeds):
            for half in (deed, *deed.branches):
                own = [one for one in half.program if one.name in ("store", "spend") and not one.args.get("there")]
                for one in own:
                    if one.args["resource"] != kind:
                        self.wrong(
                            f"behaviors[{n}]",
                            f"{one.args['resource']} cannot lie here without a resourceStorage for it",
                        )


def bonus_program(outputs: Iterable[Output]) -> Program:
    """What a step of a track gives besides."""
    trigger = Trigger(type="auto")
    row = Row(
        id="bonus", name="bonus", type="automated", behaviors=(Behavior(triggers=(trigger,), outputs=tuple(outputs)),)
    )
    return Lowering(row, frozenset()).card().deeds[0].program


def _made(one: Word) -> tuple[str, int, Any]:
    return one.args["resource"], one.args["amount"], one.args.get("per")


def _bill(inputs: Iterable[Input]) -> dict[str, Any]:
    """What inputs take, sorted by how it is paid."""
    found: dict[str, Any] = {"credits": 0, "discards": 0, "materials": ()}
    pays, spends, varies = [], [], []
    for entry in inputs:
        if entry.variable:
            varies.append((entry.type, entry.amount))
        elif entry.type == "credit":
            found["credits"] += entry.amount
            found["materials"] = (*found["materials"], *entry.payable_with)
        elif entry.type == "card-discard":
            found["discards"] += entry.amount
        elif entry.type in RESOURCES:
            pays.append((entry.type, entry.amount))
        elif entry.type in STORED:
            spends.append((entry.type, entry.amount))
    return {**found, "pays": tuple(pays), "spends": tuple(spends), "varies": tuple(varies)}
