"""A game's options as lines of a form and as words: whatever kinds of options and presets the game declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from game import registry
from game.contract import Json, Option
from game.options import checked, complete, deviating, unusual
from server.boards.board import board
from server.screens.form import FormRow, NumberRange, cycle, end_of, switch_row
from server.terminal.look import Look

Options = Mapping[str, Json]
NONE, OWN = "none", "own"  # names of "as in the rules" and of a mix that is no preset, beside the game's own


def known(game: str) -> tuple[Option, ...]:
    """Return the room's options, those of older rooms included that are not offered any more."""
    return tuple(option for option in registry.get(game).options() if not option.per_seat)


def room_wide(game: str) -> tuple[Option, ...]:
    """Return the options that are the room's to choose."""
    return tuple(option for option in known(game) if option.is_offered)


def rows(look: Look, game: str, chosen: Options, change: Callable[[Options], None]) -> list[FormRow]:
    """Return the form's lines: the presets where the game has any, then every option; `change` takes the new ones."""
    return _grouped(
        look, [*_presets(look, game, chosen, change), *_rows_of(look, game, room_wide(game), chosen, change)]
    )


def _grouped(look: Look, rows: Sequence[FormRow]) -> list[FormRow]:
    """Put the lines that are no value of an option under a head: a first one before such values, another behind."""
    heads, is_inside = [look.t("form.group.rules"), look.t("form.group.other-rules")], False
    found: list[FormRow] = []
    for row in rows:
        if is_inside and not row.group:
            heads = heads[-1:]
        is_inside = bool(row.group)
        found.append(row if row.group else replace(row, group=heads[0]))
    return found


def short_rows(
    look: Look,
    game: str,
    chosen: Options,
    change: Callable[[Options], None],
    is_open: bool,
    turn: Callable[[], None],
) -> list[FormRow]:
    """Return the lines of a short form: sizes, then one line that says what else is chosen and opens the rest."""
    sizes = [option for option in room_wide(game) if _is_size(option)]
    others = [option for option in room_wide(game) if not _is_size(option)]
    lines = _rows_of(look, game, sizes, chosen, change)
    if not others:
        return lines
    rest = {name: value for name, value in chosen.items() if name not in _sizes(game, chosen)}
    said = look.t("list.comma").join(summary(look, game, rest)) or preset_name(look, game, NONE)
    note = look.t(f"form.more-options.{_open(is_open)}")
    lines.append(FormRow(look.t("form.more-options"), said, lambda step: turn(), note, opens=turn))
    if is_open:
        lines += _grouped(look, [*_presets(look, game, chosen, change), *_rows_of(look, game, others, chosen, change)])
    return lines


def _open(is_open: bool) -> str:
    return "open" if is_open else "closed"


def _presets(look: Look, game: str, chosen: Options, change: Callable[[Options], None]) -> list[FormRow]:
    return [_preset(look, game, chosen, change)] if registry.get(game).spec.presets else []


def _rows_of(
    look: Look, game: str, which: Sequence[Option], chosen: Options, change: Callable[[Options], None]
) -> list[FormRow]:
    offered = {option.name for option in room_wide(game)} | deviating(known(game), chosen).keys()
    values = {name: value for name, value in complete(known(game), chosen).items() if name in offered}
    moot = registry.get(game).moot(values)
    return [row for option in which for row in _lines(look, game, option, values, moot, change)]


def resized(game: str, chosen: Options, before: int, after: int) -> Options:
    """Return the options for another number of players: what is as proposed for the number before goes with it."""
    was, now, held = board(game).proposed(before), board(game).proposed(after), complete(known(game), chosen)
    return {**chosen, **{name: value for name, value in now.items() if held[name] == was[name]}}


def _is_size(option: Option) -> bool:
    """Tell whether an option only says how large a match is: it goes with the number of players, and any preset."""
    return option.kind == "number"


def _sizes(game: str, chosen: Options) -> Options:
    """Return what is chosen of the sizes."""
    names = {option.name for option in known(game) if _is_size(option)}
    return {name: value for name, value in chosen.items() if name in names}


def preset_of(game: str, chosen: Options) -> str:
    """Return the name of the preset these options are, NONE for the plain rules, OWN for a mix of one's own."""
    wide = {option.name for option in room_wide(game) if not _is_size(option)}
    plain = {name: value for name, value in deviating(known(game), chosen).items() if name in wide}
    presets = registry.get(game).spec.presets
    named = {NONE: {}, **{name: deviating(room_wide(game), held) for name, held in presets.items()}}
    return next((name for name, held in named.items() if held == plain), OWN)


def preset_name(look: Look, game: str, preset: str) -> str:
    """Name a preset."""
    return look.t(f"form.preset.{preset}" if preset in (NONE, OWN) else f"{game}.preset.{preset}")


def _preset(look: Look, game: str, chosen: Options, change: Callable[[Options], None]) -> FormRow:
    presets, now = registry.get(game).spec.presets, preset_of(game, chosen)

    def step(by: int) -> None:
        change({**_sizes(game, chosen), **presets.get(cycle((NONE, *presets), now, by), {})})

    note = _sentence(look, f"form.preset.{now}.help" if now in (NONE, OWN) else f"{game}.preset.{now}.help")
    return FormRow(look.t("form.preset"), preset_name(look, game, now), step, note)


def _lines(
    look: Look, game: str, option: Option, values: Options, moot: Collection[str], change: Callable[[Options], None]
) -> list[FormRow]:
    """Return an option's line; a 'set' and 'counts' one for each value, a 'deck' is no room's to choose.

    What is `moot` has no line.
    """
    if option.name in moot:
        return []
    there = [value for value in option.values if f"{option.name}:{value}" not in moot]
    now, name, key = values[option.name], look.t(f"{game}.option.{option.name}"), f"{game}.option.{option.name}"

    def put(value: Json) -> None:
        change(registry.get(game).entailed({**values, option.name: checked(option, value)}, option.name))

    def step(by: int) -> None:
        put(_stepped(option, now, by))

    match option.kind, now:
        case "set", list():
            return [_member(look, game, option.name, value, now, put) for value in there]
        case "counts", dict():
            return [_number_of(look, game, option, value, now, put) for value in there]
        case "deck", _:
            return []
    numbers = NumberRange(option.low, option.high, put) if option.kind == "number" else None
    is_on = now is True if option.kind == "flag" else None
    said, note = words(look, game, option.name, now), _sentence(look, f"{key}.help")
    end = 0 if numbers is None else end_of((option.low, option.high), now)
    return [FormRow(name, said, step, note, numbers, is_on, end=end)]


def _stepped(option: Option, now: Json, by: int) -> Json:
    """Return the next or previous value of a 'flag', a 'choice' or a 'number'."""
    match option.kind:
        case "flag":
            return now is not True
        case "choice":
            return cycle(option.values, str(now), by)
    return option.low + (int(str(now)) - option.low + by) % (option.high - option.low + 1)


def _member(look: Look, game: str, name: str, value: str, held: list[Json], put: Callable[[Json], None]) -> FormRow:
    """Return the line of one value of a 'set': in it or not."""
    key, said = f"{game}.option.{name}", value_word(look, game, name, value)

    def flip(by: int) -> None:
        put([one for one in held if one != value] if value in held else [*held, value])

    return switch_row(look, said, value in held, flip, _sentence(look, f"{key}.{value}.help"), look.t(key))


def _number_of(
    look: Look, game: str, option: Option, value: str, counts: Options, put: Callable[[Json], None]
) -> FormRow:
    """Return the line of one value of 'counts': how many."""
    key, now = f"{game}.option.{option.name}", int(str(counts[value]))

    def put_number(number: int) -> None:
        put({**counts, value: number})

    def step(by: int) -> None:
        put_number(option.low + (now - option.low + by) % (option.high - option.low + 1))

    numbers = NumberRange(option.low, option.high, put_number)
    said, note = value_word(look, game, option.name, value), _sentence(look, f"{key}.help")
    return FormRow(said, str(now), step, note, numbers, group=look.t(key), end=end_of((option.low, option.high), now))


def _yes(look: Look, value: bool) -> str:
    return look.t("form.yes" if value else "form.no")


def _sentence(look: Look, key: str) -> str:
    return look.t(key) if look.has(key) else ""


def value_word(look: Look, game: str, name: str, value: Json) -> str:
    """Name one value of a 'choice', a 'set' or 'counts': in words of the option, else as the card of that key."""
    keys = (f"{game}.option.{name}.{value}", f"{game}.card.{value}")
    return next((look.t(key) for key in keys if look.has(key)), str(value))


def words(look: Look, game: str, name: str, value: Json) -> str:
    """Write an option's value for people."""
    match value:
        case bool():
            return _yes(look, value)
        case list():
            named = look.t("list.comma").join(value_word(look, game, name, one) for one in value)
            return named or look.t("form.nothing")
        case dict():
            option = next(one for one in known(game) if one.name == name)
            changed = unusual(option, value).items()
            named = look.t("list.comma").join(f"{value_word(look, game, name, one)} {n}" for one, n in changed)
            return named or look.t("form.preset.none")
    return value_word(look, game, name, value)


def summary(look: Look, game: str, chosen: Options) -> list[str]:
    """Return what differs from the plain rules: the preset's name, or each option that does."""
    preset, changed = preset_of(game, chosen), deviating(known(game), chosen)
    named = [preset_name(look, game, preset)] if preset not in (NONE, OWN) else []
    told = _sizes(game, changed) if named else changed
    return named + [
        look.t("list.pair", what=look.t(f"{game}.option.{name}"), value=words(look, game, name, value))
        for name, value in told.items()
    ]
