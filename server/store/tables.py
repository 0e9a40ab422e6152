"""All tables. A change here is a change of the schema: it comes with its revision in migrations/versions/."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from server.store.columns import JsonText, Moment, RowId

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("handle", String(40), nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    Column("seen_at", Moment),
    Column("deleted_at", Moment),
    Column("invisible", Boolean, nullable=False, server_default=false()),  # does not want to be seen connected
    Column("machine_since", Moment),  # when its owner said that a program plays for it; none: a person does
    sqlite_autoincrement=True,  # ids are never reused: records hold them
)

handle_skeletons = Table(  # look-alike handles have the same skeleton; the primary key refuses them
    "handle_skeletons",
    metadata,
    Column("skeleton", String(40), primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
)

former_handles = Table(  # an account's previous handles, while they are reserved for it
    "former_handles",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("handle", String(40), primary_key=True),
    Column("left_at", Moment, nullable=False),
)

departed_handles = Table(  # skeletons of deleted accounts' handles, reserved for a while
    "departed_handles",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("until", Moment, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("fingerprint", String(80), primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", Text, nullable=False),
    Column("added_at", Moment, nullable=False),
    Column("used_at", Moment),  # up to when its programs have been sent everything
    Column("label", String(40)),
    Column("how", String(10)),  # first, code, proposal, recovery, admin: how it came to the account
    Column("added_by", String(80)),  # the key that added it, where one did
    Column("used_day", Moment),  # the day of its last login
)

proposals = Table(  # keys that were proposed for an account: they open nothing until their owner proves them
    "proposals",
    metadata,
    Column("fingerprint", String(80), primary_key=True),
    Column(
        "account_id",
        RowId,
        ForeignKey("accounts.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
        index=True,
    ),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("label", String(40), nullable=False),
    Column("made_by", String(80)),  # the key that proposed it
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

codes = Table(
    "codes",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(10), nullable=False),  # recovery, link
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("made_by", String(80)),  # the key that made it; none of recovery codes that came with registering
)

browser_codes = Table(  # in links that sign a browser in; gone with the key that asked for them
    "browser_codes",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("fingerprint", String(80), ForeignKey("keys.fingerprint", ondelete="CASCADE"), nullable=False, index=True),
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

browsers = Table(  # that are signed in; signed out with the key that asked for the link
    "browsers",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("cookie_hash", String(64), nullable=False, unique=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("fingerprint", String(80), ForeignKey("keys.fingerprint", ondelete="CASCADE"), nullable=False, index=True),
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_day", Moment, nullable=False),  # the day of its last visit
)

feeds = Table(  # whoever knows the secret reads in which matches the account is to move
    "feeds",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
)

departed_keys = Table(  # keys that left an account while a ban or mute of it was in force
    "departed_keys",
    metadata,
    Column("hash", String(64), primary_key=True),  # of the fingerprint, under a secret of the server
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
)

invitations = Table(  # codes with which somebody may register where accounts are by invitation
    "invitations",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("made_by", String(40), nullable=False),  # the admin's handle, or `console`
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("uses_left", Integer, nullable=False),
)

roles = Table(
    "roles",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("role", String(20), primary_key=True),
)

preferences = Table(
    "preferences",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("data", JsonText, nullable=False),
)

decks = Table(
    "decks",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("game", String(20), nullable=False),
    Column("seat", Integer, nullable=False),  # the side it is for
    Column("name", String(40), nullable=False),
    Column("list", Text, nullable=False),
    Column("changed_at", Moment, nullable=False),
    UniqueConstraint("account_id", "game", "name", name="uq_decks_account_id_game_name"),
    sqlite_autoincrement=True,
)

vacations = Table(
    "vacations",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("began_at", Moment, primary_key=True),
    Column("until", Moment, nullable=False),
)

event_readers = Table(  # how many events an account has: the number of its last one
    "event_readers",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("last_no", RowId, nullable=False),
)

event_marks = Table(  # up to which entry of a match an account's events are made
    "event_marks",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("is_told", Boolean, nullable=False),  # the turn that goes on after it has its event
    Column("is_over", Boolean, nullable=False),  # the end has its event
)

events = Table(  # what concerned an account, numbered in the order in which it may be told
    "events",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("no", RowId, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),  # my_turn, challenge, paired, message, ended, arrived
    Column("match_id", String(20)),
    Column("who_id", RowId, ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("at", Moment, nullable=False, index=True),
)

notice_topics = Table(  # where an account wants to be told what concerns it, outside this server
    "notice_topics",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("url", String(200), nullable=False),  # whoever knows it reads the notices; empty: none now
    Column("kinds", JsonText, nullable=False),  # of events that are told
    Column("code_hash", String(64)),  # of the code that was sent there, until its owner typed it
    Column("tries", Integer, nullable=False),  # wrong codes so far
    Column("sent_no", RowId, nullable=False),  # the last event that was looked at
    Column("sent", JsonText, nullable=False),  # what was sent within a day: match or none, time
)

strikes = Table(  # countable events per source or person, for limits that all processes share
    "strikes",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("who", String(80), nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_strikes_kind_who_at", "kind", "who", "at"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JsonText, nullable=False),
    Column("n_seats", Integer, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("speed", String(10), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("room", String(20)),
    Column("status", String(10), nullable=False),  # live, adjourned, finished, void
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("last_seq", Integer, nullable=False),
    Column("deadline", Moment),  # the earliest moment at which somebody's time is up
    Column("result", JsonText),
    Column("state_hash", String(64)),
    Column("log_hash", String(64)),  # over everything the match is played again from, and how it ended
    Column("finish_no", RowId, unique=True),  # the order in which matches ended: ratings are made in it
    Column("rated_places", JsonText),  # tiers of seats, best first, where the match changed ratings
    Column("rated_by", JsonText),  # the weights it was rated with (server/ratings/weights.py); none: as before these
    Column("shared", Boolean, nullable=False, server_default=false()),  # private, and its people have opened it to all
    Index("ix_matches_status_deadline", "status", "deadline"),
    Index("ix_matches_status_started_at", "status", "started_at"),
    Index("ix_matches_game_ended_at", "game", "ended_at"),
    Index("ix_matches_started_at", "started_at"),
    Index("ix_matches_ended_at", "ended_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),  # account, guest, bot
    Column("name", String(40), nullable=False),
    Column("account_id", RowId, ForeignKey("accounts.id"), index=True),
    Column("guest_id", String(40), index=True),
    Column("options", JsonText, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("seat", Integer),
    Column("action", Text),
    Column("at", Moment, nullable=False),
    Column("data", JsonText),
    sqlite_with_rowid=False,
)

checkpoints = Table(  # of running matches, where a fold may begin: a cache
    "standings",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),  # the checkpoint is the match after this entry
    Column("rules", String(64), nullable=False),  # hash of the code that made it; other code must not use it
    Column("data", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)

origins = Table(  # where the people of running matches have come from
    "origins",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("hash", String(64), primary_key=True),  # of a key, an address or a source, under a secret
)

offers = Table(
    "offers",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("what", String(10), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),  # the log's end when it was made; a later move by another seat ends it
    Column("at", Moment),  # when it was made; None: by an earlier release
)

conditional_moves = Table(  # what a seat will do where the others do what it named
    "conditional_moves",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),  # the log's end from which the lines go on
    Column("lines", JsonText, nullable=False),
    Column("is_due", Boolean, nullable=False),  # the seat's own move is next
)

rematches = Table(
    "rematches",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("next_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
)

arrangements = Table(  # what was agreed beside the game's options
    "arrangements",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("data", JsonText, nullable=False),
)

seeks = Table(
    "seeks",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("ticket", String(20), nullable=False, index=True),
    Column("person", String(60), nullable=False, index=True),
    Column("process_id", String(40), nullable=False),
    Column("since", Moment, nullable=False),
    Column("data", JsonText, nullable=False),
)

bookings = Table(  # a ticket and the match it led to, until the ticket's process has read it
    "bookings",
    metadata,
    Column("ticket", String(20), primary_key=True),
    Column("match_id", String(20), nullable=False),
    Column("at", Moment, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("since", Moment, nullable=False),
    Column("touched_at", Moment, nullable=False),
    Column("data", JsonText, nullable=False),
)

counters = Table(
    "counters",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", RowId, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("ladder", String(30), primary_key=True),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("matches", Integer, nullable=False),
    Index("ix_ratings_ladder", "ladder"),
)

rating_events = Table(
    "rating_events",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", RowId, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("ladder", String(30), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("finish_no", RowId, nullable=False),
    Column("mu_before", Float(53), nullable=False),
    Column("sigma_before", Float(53), nullable=False),
    Column("mu_after", Float(53), nullable=False),
    Column("sigma_after", Float(53), nullable=False),
    Column("loose", Float(53)),  # how much of mu was gained from opponents that count less; none: nothing
    Column("thin", Boolean),  # true: too little of a match, or between people too near, to tell of other opponents
    Column("why", String(10)),  # why it counted less than in full
    Index("ix_rating_events_account_id_ladder_finish_no", "account_id", "ladder", "finish_no"),
)

chat_lines = Table(
    "chat_lines",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("channel", String(40), nullable=False),
    Column("at", Moment, nullable=False),
    Column("account_id", RowId, ForeignKey("accounts.id"), index=True),
    Column("name", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_chat_lines_channel_id", "channel", "id"),
    Index("ix_chat_lines_name_at", "name", "at"),
    sqlite_autoincrement=True,
)

blocks = Table(
    "blocks",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("blocked_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
)

follows = Table(  # one-sided, and known to nobody else
    "follows",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "followed_id",
        RowId,
        ForeignKey("accounts.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
        index=True,
    ),
    Column("at", Moment, nullable=False),
    Column("tell", String(10)),  # what the follower wants to be told once: comes, plays
    Column("read_id", RowId, nullable=False, server_default="0"),  # the last message of theirs that was read
)

messages = Table(  # from person to person
    "messages",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    Column("from_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("to_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("shown", Boolean, nullable=False),  # to whom it is for; else only to its writer, who never learns of it
    Index("ix_messages_from_id_at", "from_id", "at"),
    Index("ix_messages_to_id_from_id", "to_id", "from_id"),
    sqlite_autoincrement=True,
)

notes = Table(  # on a person, for oneself
    "notes",
    metadata,
    Column("account_id", RowId, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "about_id",
        RowId,
        ForeignKey("accounts.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
        index=True,
    ),
    Column("text", Text, nullable=False),
)

sanctions = Table(  # bans of an account, a key or a network; mutes of an account
    "sanctions",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("act", String(10), nullable=False),  # ban, mute
    Column("kind", String(10), nullable=False),  # account, key, network
    Column("target", String(80), nullable=False),
    Column("why", Text, nullable=False),
    Column("by_name", String(40), nullable=False),
    Column("at", Moment, nullable=False),
    Column("until", Moment),
    Column("lifted_at", Moment),
    Index("ix_sanctions_kind_target", "kind", "target"),
    sqlite_autoincrement=True,
)

reports = Table(
    "reports",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("by_account_id", RowId, ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("about_account_id", RowId, ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("about_name", String(40), nullable=False),
    Column("match_id", String(20)),
    Column("why", Text, nullable=False),
    Column("lines", JsonText, nullable=False),  # the chat as it stood: who said what, when
    Column("handled_at", Moment),
    Column("handled_by", String(40)),
    sqlite_autoincrement=True,
)

audit = Table(
    "audit",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("actor", String(40), nullable=False),
    Column("act", String(30), nullable=False),
    Column("target", String(80), nullable=False),
    Column("why", Text, nullable=False),
    Column("data", JsonText),
    sqlite_autoincrement=True,
)

processes = Table(  # heartbeats of server processes, every half second
    "processes",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("pid", Integer, nullable=False),
    Column("machine", String(80), nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("alive_at", Moment, nullable=False),
    Column("stopped_at", Moment),
    Column("log_version", Integer),  # of the log's entries that it can read; None: of a release before take-backs
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("process_id", String(40), ForeignKey("processes.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("account_id", RowId),
    Column("name", String(40), nullable=False),
    Column("source", String(64), nullable=False),
    Column("fingerprint", String(80)),
    Column("since", Moment, nullable=False),
    Column("data", JsonText),  # which matches are before the person (server/presence/connections.py)
)

outages = Table(
    "outages",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("began", Moment, nullable=False),
    Column("ended", Moment, nullable=False, unique=True),
    sqlite_autoincrement=True,
)

orders = Table(  # admins' requests to all running processes, read every second
    "orders",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("data", JsonText, nullable=False),
    sqlite_autoincrement=True,
)

server_secrets = Table(  # of the server itself, which all its processes share
    "server_secrets",
    metadata,
    Column("name", String(20), primary_key=True),  # what it is for
    Column("secret", LargeBinary(32), nullable=False),
    Column("made_at", Moment, nullable=False),
)

host_keys = Table(  # those in force, and those that were
    "host_keys",
    metadata,
    Column("fingerprint", String(80), primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("since", Moment, nullable=False),
    Column("retired_at", Moment),
)
