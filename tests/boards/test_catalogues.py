"""The languages: nothing is missing, nothing is left over, nothing is left in English."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from game import messages as shared_messages
from game import registry
from game.netrunner import text as card_text
from game.netrunner.facts import FACTS
from server.boards import keymap
from server.boards.rulebook import page
from server.i18n.catalogues import BASES, CHOICES, LANGUAGES, catalogue, files, following, from_locale, spaced
from server.session.linewords import ALL_WORDS
from server.terminal.look import Look
from tests.texts import read_catalogue

SERVER = Path(__file__).parents[2] / "server"
KEY = re.compile(r"""["']([a-z0-9]+(?:[.][a-zA-Z0-9_-]+)+)["']""")
PREFIX = re.compile(r"""f["']([a-z0-9]+[.](?:[a-z0-9_-]+[.])*)[^"' ]*\{""")
SUFFIX = re.compile(r"""f["']\{[^}"']*\}([.][a-z0-9_.-]+)["']""")
INFIX = re.compile(r"""f["']\{[^}"']*\}([.][a-z_-]+[.])""")
# Titles of cards stay as they are printed.
TITLES = re.compile(
    "|".join(
        sorted(
            {re.escape(name) for facts in FACTS.values() for name in (facts.title, facts.title.split(":")[0])},
            key=len,
            reverse=True,
        )
    )
)
LATIN = re.compile(r"[A-Za-z]{2,}")
# Words that Chinese screens keep in Latin letters: names, key caps, and what is typed as it stands.
KEPT = frozenset(
    (
        *("Patchbay", "RaiNet", "Relati", "Passage", "Netrunner", "EXIT", "LINK", "VIRUS", "Not", "Found", "English"),
        *("Esc", "Tab", "Home", "End", "Enter", "Ctrl", "Unicode", "ASCII", "SSH", "SHA", "GMT", "UTC", "COLOR", "NO"),
        *(
            "ssh",
            "after",
            "keys",
            "code",
            "watch",
            "replay",
            "rules",
            "join",
            "link",
            "openskill",
            "account",
            "IdentitiesOnly",
            "yes",
            "KEY",
            "HOST",
        ),
        *(
            "mosh",
            "copy",
            "id",
            "add",
            "pub",
            "help",
            "register",
            "HANDLE",
            "CODE",
            "bot",
            "admin",
            "patchbay",
            "none",
            "ControlMaster",
            "keygen",
            "ed25519",
            "COMMAND",
            "MATCH",
            "json",
        ),  # typed, or named so
        *("Jinteki", "Weyland", "Haas", "Bioroid", "NBN"),  # starters, called as their identities are
        *("again", "agree", "back", "board", "clock", "decline", "hand", "moves", "no", "quiet", "quit", "say"),
        *("all", "back", "screens", "since", "verbose", "what"),  # typed in a dialogue
        *(
            "Nc",
            "Rc",
            "auto",
            "credit",
            "end",
            "setup",
            "draw",
            "greed",
            "hq",
            "judge",
            "pass",
            "play",
            "run",
        ),  # actions, as they are typed
        *("Windows", "PowerShell", "macOS", "Linux", "PuTTY", "PuTTYgen", "EdDSA"),
    )
)


def texts(language: str) -> dict[str, tuple[str, ...]]:
    """Return a catalogue as key -> its sentences (several where it has plurals)."""
    found: dict[str, tuple[str, ...]] = {}
    for message in read_catalogue(language):
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            found[key] = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_none_is_empty(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert english.keys() == other.keys()
    assert [key for key, said in other.items() if not all(said)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_names_no_parameter_that_english_does_not_know(language: str) -> None:
    english = texts("en")
    wrong = {
        key: said
        for key, said in texts(language).items()
        if set().union(*map(fields, said)) - set().union(*map(fields, english[key]))
    }
    assert wrong == {}


def test_chinese_keeps_no_english_words() -> None:
    left = {
        key: rest
        for key, said in texts("zh_CN").items()
        for text in said
        if not key.endswith("error.unreadable")  # quotes actions, as they are typed
        and (rest := set(LATIN.findall(TITLES.sub("", re.sub(r"\{[^}]*\}", "", text)))) - KEPT)
    }
    assert left == {}


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
def test_chinese_has_a_space_beside_latin_letters_and_digits(language: str) -> None:
    """Netrunner's cards had none, and no text had one beside a name or a card's title."""
    own = own_texts(language)
    bare = {key: re.sub(r"\{[^}]*\}", "|", text) for key, held in own.items() for text in held}
    assert {key: text for key, text in bare.items() if spaced(text) != text} == {}
    say = catalogue(language).t
    assert say("match.waiting", name="mira").partition("mira")[0][-1] == " "
    assert " " not in say("match.waiting", name=say("game.relati"))


@pytest.mark.parametrize("language", ["zh_CN", "zh_TW"])
def test_a_space_stood_before_the_chinese_name_of_a_bot(language: str) -> None:
    say = catalogue(language).t
    bot = say("bot.name", level=say("bot.easy"))
    for name, gap in ((bot, ""), ("mira", " ")):
        assert f"，{name}{gap}获" in say("outcome.you-lost", name=name, reason=say("relati.reason.last")).replace(
            "獲", "获"
        )


@pytest.mark.parametrize("language", ["zh_CN", "zh_TW"])
def test_a_space_stood_beside_a_name_that_is_a_chinese_word(language: str) -> None:
    """Somebody whom a watcher may not know is called by a word; people's own words stay as they wrote them."""
    say = catalogue(language).t
    assert " " not in say("match.event.left", name=say("events.somebody"))
    assert say("match.event.left", name="mira").startswith("mira ")
    assert " " not in say("bots.at-once.below", level=say("bot.easy"))
    assert "你好 朋友" in say("people.ask-report", name="你好 朋友")


def test_a_bot_is_called_a_bot_in_every_language() -> None:
    """English said bot, Chinese the computer."""
    wrong = ("computer", "电脑", "電腦")
    said = {f"{one} {key}": text for one in CHOICES for key, held in texts(one).items() for text in held}
    assert {key: text for key, text in said.items() if any(word in text.lower() for word in wrong)} == {}


def sources() -> str:
    """Return all code that names message keys: the server, and the command lines it shares with the rules."""
    game = SERVER.parent / "game"
    paths = (
        *SERVER.rglob("*.py"),
        *(SERVER / "web" / "pages").glob("*.html"),
        *(game / "cli").rglob("*.py"),
        game / "duel.py",
        game / "registry.py",
        game / "training" / "tunable.py",
    )
    return "\n".join(path.read_text() for path in paths)


def test_every_key_in_the_catalogue_is_used_by_somebody() -> None:
    code = sources()
    literal, prefixes = set(KEY.findall(code)), tuple(set(PREFIX.findall(code)))
    suffixes = tuple(set(SUFFIX.findall(code)))
    infixes = set(INFIX.findall(code))
    made = keymap_keys() | game_keys()
    unused = [
        key
        for key in texts("en")
        if key not in literal
        and key not in made
        and not key.startswith(prefixes)
        and not key.endswith(suffixes or "\0")
        and not any(infix in key for infix in (*infixes, ".error."))  # errors are made where they are raised
    ]
    assert unused == []


def keymap_keys() -> set[str]:
    """Return the keys that the key table makes."""
    labels = {key for b in keymap.BINDINGS for key in (b.label, b.help)}
    return labels | {f"context.{b.context}" for b in keymap.BINDINGS}


def game_keys() -> set[str]:
    """Return the message keys that all games share, and those of card texts; each game's own has the battery."""
    return set(shared_messages.ERRORS) | card_text.all_keys()


def test_every_key_of_the_table_has_its_label_and_its_sentence() -> None:
    assert keymap_keys() - texts("en").keys() == set()


def test_a_message_takes_its_parameters_and_a_missing_one_hurts_nobody() -> None:
    look = Look()
    assert "40x20" in look.t("gate.need", cols=40, rows=20)
    assert "?x?" in look.t("gate.need")
    assert look.t("no.such-key") == "no.such-key"


@pytest.mark.parametrize("look", [Look(glyph_set="ascii"), Look(glyph_set="ascii").heard()], ids=["seen", "heard"])
def test_ascii_looks_carry_ascii_marks_only(look: Look) -> None:
    assert [key for key in texts("en") if "中" not in look.t(key) and not look.t(key).isascii()] == []


def test_the_language_is_chosen_from_the_locale() -> None:
    said = ("zh_CN.UTF-8", "zh-TW", "zh_HK.UTF-8", "zh-Hant-TW", "en_GB", "C", "")
    assert [from_locale(lang) for lang in said] == ["zh_CN", *["zh_TW"] * 3, *["en"] * 3]
    assert catalogue("xx").language == "en"
    assert [following(language) for language in (*CHOICES, "xx")] == [*CHOICES[1:], CHOICES[0], "en"]


@pytest.mark.parametrize("language", BASES)
def test_a_partial_language_says_the_rest_as_its_base_does(language: str) -> None:
    base, whole, own = texts(BASES[language]), texts(language), own_texts(language)
    assert whole.keys() == base.keys()
    assert own.keys() <= base.keys()
    assert {key for key in whole if whole[key] != base[key]} <= own.keys()
    known = {key: set().union(*map(fields, said)) for key, said in base.items()}
    assert [key for key, said in own.items() if set().union(*map(fields, said)) - known[key]] == []


def own_texts(language: str) -> dict[str, tuple[str, ...]]:
    """Return what a language's own files hold."""
    keys = {key for file in files(language) for key in re.findall(r'^msgid "(.+)"$', file.read_text(), re.MULTILINE)}
    return {key: said for key, said in texts(language).items() if key in keys}


def test_the_terms_of_relati_are_traditional_where_these_are_asked_for() -> None:
    page = (SERVER / "boards" / "games" / "relati" / "rules" / "zh_TW.md").read_text()
    text, table = page.split("## 詞彙")
    rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in table.splitlines() if row.startswith("| ")]
    terms = {simplified: traditional for simplified, traditional, _ in rows[1:] if simplified != traditional}
    assert len(terms) > 10
    said = "".join(text for key, held in texts("zh_TW").items() if key.startswith("relati.") for text in held)
    assert [simplified for simplified in terms if simplified in said + text] == []
    assert sum(traditional in said + text for traditional in terms.values()) > 10
    assert catalogue("zh_TW").t("game.relati") == "連奕"


def test_no_game_speaks_simplified_to_who_reads_traditional() -> None:
    """RaiNet, Passage, Netrunner and their rules did, beside pages and a Relati in traditional characters."""
    base, own = texts("zh_CN"), own_texts("zh_TW")
    assert [key for key, said in base.items() if key not in own and not "".join(said).isascii()] == []
    assert [catalogue("zh_TW").t(f"game.{key}") for key in ("rainet", "passage", "relati")] == [
        "雷網",
        "現世通行",
        "連奕",
    ]
    assert all(page(game, "zh_TW") != page(game, "zh_CN") for game in registry.KEYS)


# Simplified characters that stand in Big5, too, as rare characters of their own.
ALSO_BIG5 = frozenset(
    "肮辟并采蚕厂痴虫丑触床唇党淀斗吨儿范丰复干赶杠构雇挂柜后怀坏伙机极几价茧荐杰洁惊据夸蜡腊厘篱离里栗怜帘岭么霉宁泞苹扑仆朴"
    "栖凄气确群扰洒晒胜圣尸虱适体听涂托洼万网瓮咸羡蝎凶熏岩痒异佣涌优于余与郁吁愿岳云皂灶占征种筑庄准咨忏昵肴腌膻炖虮蚝粽跖"
)


def strangers(text: str, encoding: str) -> set[str]:
    """Return the Chinese characters that an encoding of one of the two scripts does not hold."""
    han = {char for char in text if "一" <= char <= "鿿"}
    return {char for char in han if char.encode(encoding, "ignore") == b""}


@pytest.mark.parametrize(("language", "encoding"), [("zh_CN", "gb2312"), ("zh_TW", "big5")])
def test_no_text_mixes_simplified_and_traditional_characters(language: str, encoding: str) -> None:
    said = {key: "".join(held) for key, held in own_texts(language).items()}
    said |= {
        str(path): path.read_text().split("## 词汇")[0].split("## 詞彙")[0] for path in SERVER.rglob(f"{language}.md")
    }
    assert len(said) > 3000
    found = {key: strangers(text, encoding) for key, text in said.items()}
    found |= {key: set(text) & ALSO_BIG5 for key, text in said.items() if language == "zh_TW" and set(text) & ALSO_BIG5}
    own_names = ("language.", "keys.welcome.language", "keys.calibrate.language")
    assert {key: chars for key, chars in found.items() if chars - {"優"} and not key.startswith(own_names)} == {}


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
def test_the_server_was_misspelt_in_traditional_chinese(language: str) -> None:
    """Words had been replaced inside others: 伺伺器 for a server, 舉復 for reprisal, 平局盘 for a board of chess."""
    doubled = re.compile("(?![看试試刚剛等人以条條查白])([一-鿿])\\1")
    broken = re.compile("伺伺|舉復|封障|平局[盘盤]|[计計]分[离離]|列表平")
    said = {key: text for key, held in own_texts(language).items() for text in held}
    said |= {str(path): path.read_text() for path in SERVER.rglob(f"{language}.md")}
    assert [key for key, text in said.items() if doubled.search(text) or broken.search(text)] == []


MAINLAND = re.compile(
    "軟件|信息|默認|網絡|屏幕|登錄|用戶|賬|菜單|光標|回放|服務器|程序|設置|保存|密鑰|舉報|視頻|字符|鼠標|窗口|粘貼|發送|屏蔽|教程"
    "|當前|列表|運行|內存|激活|智能|進程|回車|丟失|會話|纔|封禁|恢復碼|單步|滾動|跳轉|地址|響應|自帶|生成|導出|幫助|水平|硬盤|支持"
    "|質量|數據|文件|目錄|銷燬|帳戶|“|在線(?!上)|終端(?![機卡版])|遠程(?!攻擊)"
)


def test_traditional_chinese_has_the_words_of_taiwan() -> None:
    """Keys, cursors, settings, replays and reports had the words of the mainland in traditional characters."""
    said = {key: text for key, held in own_texts("zh_TW").items() for text in held}
    rules = {str(path): path.read_text().split("## 詞彙")[0] for path in SERVER.rglob("rules/zh_TW.md")}
    assert len(rules) >= 4
    found = {key: sorted(set(MAINLAND.findall(text))) for key, text in (said | rules).items()}
    assert {key: words for key, words in found.items() if words} == {}


def test_every_message_that_games_share_has_its_sentence() -> None:
    known = set(texts("en"))
    assert game_keys() - known == set()


def test_every_language_calls_each_by_its_own_name_and_no_message_comes_twice() -> None:
    """Who read traditional characters was told that the language is simplified Chinese."""
    for language in CHOICES:
        names = [catalogue(language).t(f"language.{one}") for one in ("en", "zh_CN", "zh_TW")]
        assert names == ["English", "简体中文", "繁體中文"]
    for file in (file for language in CHOICES for file in files(language)):
        keys = re.findall(r'^msgid "(.+)"$', file.read_text(), re.MULTILINE)
        assert sorted({key for key in keys if keys.count(key) > 1}) == [], file


def test_english_had_straight_apostrophes_beside_typographic_ones() -> None:
    """“your link's way” stood beside “the other side’s server”; a terminal without Unicode gets the straight one."""
    rules = {str(path): path.read_text() for path in SERVER.rglob("en.md")}
    assert len(rules) >= 5
    said = {key: text for key, held in texts("en").items() for text in held}
    assert [key for key, text in (said | rules).items() if "'" in text] == []
    assert "can't" in Look(glyph_set="ascii").t("netrunner.error.not-now"), "and what is typed stays as it is"


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
def test_chinese_told_people_to_type_english_words(language: str) -> None:
    """“moves” and “what” stood in sentences for who types 行动 and 查; help alone names both."""
    say = catalogue(language)
    own = {word for word in ALL_WORDS if say.has(f"lines.word.{word}") and word.isalpha()}
    assert {"moves", "what", "hand"} <= own
    quoted = re.compile(f"[“「]({'|'.join(own)})(?: [^”」]*)?[”」]")
    assert {key: said for key, held in own_texts(language).items() for said in held if quoted.search(said)} == {}


@pytest.mark.parametrize("language", CHOICES)
def test_what_happened_lost_its_subject_and_kept_a_colon(language: str) -> None:
    """“tarn: 13 linked again” behind another clause of tarn's became “；：13”: the name was left out there."""
    events = {key: said for key, said in texts(language).items() if ".event." in key}
    assert {key: said for key, said in events.items() if said[0].startswith(("{name}:", "{name}：", "{name}’s:"))} == {}


HALF_WIDTH = re.compile(r"[一-鿿][,:;()?!]|[,:;()?!][一-鿿]|[，。；：、] [一-鿿]")
# Of several words for one thing, those that lost, by the beginning of the keys of one game or of all.
LOSERS = {
    "netrunner.": (
        "议程",
        "議程",
        "无政府主义",
        "無政府主義",
        "罪犯",
        "人间会社",
        "人間會社",
        "冰",
        "抓",
        "偷取",
        "计分",
        "計分",
        "破解器",
    ),
    "passage.": ("抽卡", "补充卡", "補充卡"),
    "rainet.": ("夺取", "奪取", "卡片", "出口"),
    "relati.": ("淘汰", "射击", "射擊", "连弈"),
    "": (
        "和棋",
        "封局",
        "续弈",
        "續弈",
        "胜负手",
        "勝負手",
        "简单的机器人",
        "簡單的機器人",
        "获发",
        "獲發",
        "天梯",
        "排位",
        "主张",
        "主張",
        "封盘",
        "封盤",
        "账户",
        "帳戶",
        "取消对局",
        "取消對局",
    ),
}


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
def test_chinese_has_one_word_for_one_thing_and_full_width_punctuation(language: str) -> None:
    """Drawing had two names, so had scoring, stealing and icebreakers; a card table had words of board games."""
    held = {key: re.sub(r"\{[^}]*\}", "|", text) for key, said in own_texts(language).items() for text in said}
    assert {key: text for key, text in held.items() if HALF_WIDTH.search(text)} == {}
    found = {
        key: [word for word in words if word in text]
        for key, text in held.items()
        for start, words in LOSERS.items()
        if key.removeprefix("tutorial.").startswith(start)
    }
    assert {key: words for key, words in found.items() if words} == {}


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
def test_a_card_had_two_words_in_chinese(language: str) -> None:
    """Texts of one page had 卡, 牌 and 卡牌 for the same thing; only RaiNet's terminal cards are called otherwise."""
    said = {key: text for key, held in own_texts(language).items() for text in held}
    rules = {str(path): path.read_text() for path in SERVER.rglob(f"rules/{language}.md")}
    assert len(rules) >= 4
    other = re.compile("(?<!终端)(?<!終端)卡(?!牌爱|牌愛)")  # a name in what is said of who wrote a rule book
    assert [key for key, text in (said | rules).items() if other.search(text)] == []


def test_chinese_put_a_space_behind_the_word_for_you() -> None:
    """A lost match read `你：你 超时`."""
    for language in ("zh_CN", "zh_TW"):
        texts = catalogue(language)
        you = texts.t("seat.you")
        said = texts.t("outcome.you-lost", name="tarn", reason=texts.t("match.reason.out_of_time", loser=you))
        assert f"{you} " not in said.replace(f"{you} tarn", "")
        assert "mira " in texts.t("match.reason.out_of_time", loser="mira")
