"""The planning player: every offered answer with what it is worth, whatever is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from game.choices import tokens
from game.contract import Number, OneOf, Subset
from game.netrunner.bots.choosing import choose, keep
from game.netrunner.bots.corp import SCORCHED, CorpPlans
from game.netrunner.bots.crossing import cheapest, crossings
from game.netrunner.bots.prizes import prize, root_worth
from game.netrunner.bots.routes import purse
from game.netrunner.bots.runner import RunnerPlans, code_of
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.bots.tables import BREAKERS, NEVER, WIN
from game.netrunner.bots.windows import corp_window, runner_window
from game.netrunner.costs import BAD_PUBLICITY, available, held_as
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title
from game.netrunner.places import find
from game.netrunner.queries import link
from game.netrunner.table import entry

Ideas = list[tuple[float, str]]
TYPES: Final = {"event": 3.0, "program": 2.0, "resource": 1.0, "hardware": 0.5}  # what a grip holds most of
MOST: Final = 250  # offered answers that are looked at


def weigh(s: Sight, q: Question) -> Ideas:
    """Return every answer that is worth a thought, with its worth."""
    match q.choice:
        case OneOf(actions):
            texts = [action.text for action in actions[:MOST]]
            if len(texts) == 1:
                return [(0.0, texts[0])]
            worth = judge(s, q)
            return [(worth(tokens(text)), text) for text in texts]
        case Number(verb, low, high):
            return [(0.0, f"{verb} {number(s, q, low, high)}")]
        case Subset(verb, items, low, high):
            return [(0.0, " ".join((verb, *subset(s, q, items, low, high))))]


def best(ideas: Ideas) -> str:
    """Return the answer with the highest worth, the first of equals."""
    return max(ideas, key=lambda idea: idea[0])[1]


def judge(s: Sight, q: Question) -> Callable[[list[str]], float]:
    """Return how the answers to a question are weighed."""
    corp = q.seat == CORP
    match q.prompt:
        case "action":
            return (CorpPlans(s) if corp else RunnerPlans(s)).worth
        case "window":
            return lambda words: corp_window(s, words) if corp else runner_window(s, words)
        case "prevent":
            return lambda words: 3.0 * (words[0] == "use" and not corp)
        case "jack-out":
            leaves = RunnerPlans(s).may_leave()
            return lambda words: float((words[0] == "jack-out") == leaves)
        case "access":
            return lambda words: first_access(s, words)
        case "accessed":
            return lambda words: accessed(s, words)
        case "mulligan":
            keeps = keeps_hand(s)
            return lambda words: float((words[0] == "keep") == keeps)
        case "install-where":
            plans = CorpPlans(s)
            return lambda words: plans.worth(words)
        case "make-room":
            return lambda words: -float(len(words))
        case "server":
            return lambda words: event_server(s, q, words[1])
        case "may" | "bypass" | "rez-or-trash":
            wants = yes(s, q)
            return lambda words: float((words[0] == "yes") == wants)
        case "either":
            return lambda words: either(s, words[1])
        case "arrange":
            return lambda words: arranged(words[1:])
        case "pay":
            return lambda words: spared(s, q.seat, words)
        case "order":
            return lambda words: 0.0
        case "spring":
            return lambda words: 2.0 * (words[0] == "use")
        case "type":
            return lambda words: TYPES.get(words[1], 0.0)
        case "cheapen":
            return lambda words: 2.0 - keep(s, code_of(words[1])) if words[0] == "choose" else 0.0
        case "bottom":
            top = s.t.stack[0] if s.t.stack else ""
            is_poor = top in FACTS and keep(s, top) < 2.0
            return lambda words: float((words[0] == "yes") == is_poor)
    return lambda words: choose(s, q, words)


def spared(s: Sight, seat: int, words: list[str]) -> float:
    """Return what a payment is worth: it spends what comes again first, then what ends with the run, the pool last."""
    found = 0
    for source, n in zip(words[1::2], words[2::2], strict=True):
        card = find(s.t, source, seat)
        if source == BAD_PUBLICITY or (card is not None and entry(card.code).pays == "anything"):
            found += 2 * int(n)
        elif card is not None:
            found += (3 if held_as(card) == "recurring" else 1) * int(n)
    return float(found)


def event_server(s: Sight, q: Question, server: str) -> float:
    """Return what a server is worth for the event that begins the run."""
    plans = RunnerPlans(s)
    name = plain_title(str(q.about.get("card", "")))
    found = plans.run_event(name, server)
    return found if found > NEVER else plans.run(server) - WIN


def first_access(s: Sight, words: list[str]) -> float:
    """Return what it is worth to access this card first: the best come first, ambushes last."""
    card = find(s.t, words[1], RUNNER)
    if card is not None:
        return root_worth(s, card)
    if words[1].startswith("archives:"):
        code, _ = s.t.archives[int(words[1].partition(":")[2])]
        return 5.0 * FACTS[code].points if code in FACTS else 0.5
    return 1.0


def accessed(s: Sight, words: list[str]) -> float:
    """Return what an answer about an accessed card is worth: steal, trash what earns, leave the rest."""
    if words[0] not in ("steal", "trash"):
        return 0.0
    frame = next(dict(f) for f in reversed(s.t.frames) if f["op"] == "access")
    row = {"hq": s.t.hq, "rd": s.t.rd, "archives": [code for code, _ in s.t.archives]}.get(str(frame["zone"]), [])
    code = s.t.cards[frame["iid"]].code if frame["iid"] else row[int(frame["index"])] if row else ""
    if words[0] == "steal":
        return NEVER if code in FACTS and RunnerPlans(s).stealing_flatlines(code) else WIN
    if frame["iid"]:
        return root_worth(s, s.t.cards[frame["iid"]]) - 0.1
    if code not in FACTS:
        return 0.5
    price = FACTS[code].trash or 0
    if s.t.run is not None and "demolition" in s.t.run.mods:
        return 2.0
    return 3.0 - price if FACTS[code].type in ("asset", "upgrade") and s.t.credits[RUNNER] > price + 3 else -1.0


def keeps_hand(s: Sight) -> bool:
    """Tell whether the first hand is good enough."""
    kinds = [FACTS[code].type for code in s.hand]
    if s.seat == CORP:
        return kinds.count("ice") >= 1 and kinds.count("agenda") <= 2
    money = ("Sure Gamble", "Easy Mark", "Magnum Opus", "Armitage Codebusting", "Bank Job", "Infiltration", "Diesel")
    return any(CODES[name] in s.hand for name in money) or any(code in BREAKERS for code in s.hand)


def yes(s: Sight, q: Question) -> bool:
    """Tell whether an offer is taken."""
    t = s.t
    if q.prompt == "rez-or-trash":
        return True
    if q.prompt == "bypass":
        run = t.run
        other = cheapest(crossings(s, t.cards[run.ice], met=True), purse(s), t.clicks[RUNNER]) if run else None
        return other is None or other.price >= int(q.about.get("credits") or 0)
    match plain_title(str(q.about.get("card"))):
        case "Posted Bounty":
            copies = min(t.hq.count(SCORCHED), t.clicks[CORP], t.credits[CORP] // 3)
            return 4 * copies > len(t.grip)
        case "Accelerated Beta Test":
            return len(t.rd) > 8 and bool(s.ice("archives"))
        case "Rabbit Hole":
            return t.credits[RUNNER] >= 4
        case "Matrix Analyzer":
            return CorpPlans(s).best_target() is not None
        case "Account Siphon":
            return t.credits[CORP] >= 3
        case "Meridian":
            return False
        case "Otoroshi" | "Peeping Tom" | "Formicary" | "Giordano Memorial Field":
            return t.run is not None and prize(s, t.run.server) > 2.0 and len(t.grip) > 2
        case "Algernon":
            return t.credits[RUNNER] > 5
        case "Hijacked Router":
            return t.credits[CORP] in range(1, 5)
        case "Broad Daylight":
            return True
        case "Bank Job":
            return not any(root_worth(s, card) > 8 for card in s.root(t.run.server if t.run else ""))
    return True


def either(s: Sight, word: str) -> float:
    """Return what one of two words to choose from is worth."""
    run = s.t.run
    if word == "end" or word == "jack-out":
        little = run is not None and prize(s, run.server) < 3.0
        return 0.5 + little
    return {"credits": 1.0, "counter": 1.0, "tag": 1.0, "continue": 1.0, "card": 1.0}.get(word, 0.0)


def arranged(titles: list[str]) -> float:
    """Return what an order of the top cards is worth: money and ice first, agendas deep."""
    total = 0.0
    for place, word in enumerate(titles):
        kind = FACTS[code_of(word)].type
        total += (5 - place) * {"agenda": -2.0, "ice": 1.0, "operation": 1.2}.get(kind, 0.5)
    return total


def number(s: Sight, q: Question, low: int, high: int) -> int:
    """Return how much to spend or take."""
    match q.prompt:
        case "take" | "more-access" | "place-up-to":
            return high
        case "draw-up-to":
            return min(high, max(0, 5 - len(s.hand)), max(0, len(s.t.rd) - 3))
        case "spend-any":
            return min(high, len(s.t.grip) + 1) if high > len(s.t.grip) else min(high, 3)
        case "bid":
            return min(high, 1 + (s.t.run is not None and len(s.t.this_turn) % 2))
        case "x":
            target = CorpPlans(s).best_target() if q.seat == CORP else None
            need = CorpPlans(s).left(target) if target is not None else 0
            return max(low, min(high, need))
        case "link":
            need = int(q.about["strength"]) - int(q.about["link"])
            afford = high if is_hunted(s) else min(high, 3)
            return need if low <= need <= afford else low
        case "trace":
            theirs = link(s.t) + available(s.t, RUNNER, "trace")
            need = theirs - int(q.about["base"]) + 1
            most = high if SCORCHED in s.t.hq else min(high, 4)
            free = max(0, high - s.t.credits[CORP])
            return max(low, need) if need <= most else min(high, free)
    return low


def is_hunted(s: Sight) -> bool:
    """Tell whether a tag could be deadly."""
    return FACTS[s.t.identities[CORP]].faction == "weyland-consortium" and len(s.t.grip) < 8


def subset(s: Sight, q: Question, items: tuple[str, ...], low: int, high: int) -> list[str]:
    """Return which are picked: subroutines as planned, or the cards least worth keeping."""
    if q.prompt == "break":
        plan = RunnerPlans(s).crossing()
        wanted = [item for item in items if plan is not None and int(item) in plan[1]]
        rest = [item for item in reversed(items) if item not in wanted]
        return (wanted + rest)[: max(low, min(high, len(wanted) or high))]
    ranked = sorted(items, key=lambda item: keep(s, code_of(item)))
    return ranked[:low]
