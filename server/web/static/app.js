"use strict";
// The page's half of docs/browser.md: draws rows, keys, log and clocks, and sends keys, texts and taps. Text nodes only.
(() => {
  const root = document.getElementById("session");
  if (!root || !root.dataset.place) return;
  const grid = root.querySelector("[data-grid]"), scroll = document.getElementById("scroll");
  const by = (id) => document.getElementById(id);
  const log = by("log"), keys = by("keys"), items = by("items"), state = by("state"), ask = by("ask"), gone = by("gone");
  const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]/;
  const KEYS_PX = 110, KEYS_ON_PHONE_PX = 200;  // below the grid: its first keys stay in sight
  const KEPT_MS = 60000;  // after a reload within this time all is as it was
  const PLACES = ["watch", "replay", "join"];
  const LINE = 1.17;  // of a row, in letters: box drawings meet at that
  const NAMES = {Enter: "enter", Escape: "esc", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
    Backspace: "backspace", Delete: "delete", Home: "home", End: "end", PageUp: "page up", PageDown: "page down"};
  let socket, rows = [], lines = [], cols = 80, badge = null, times = [], tries = 0, done = false;
  let ticking = [], field = null, input = null, said = [], composing = false, title = "", place = "", cursor = -1, kept = 0, under = [], half = [], wrote = [];
  const passed = {};  // by place: its cursor and row when another page came on top
  const told = new Map();

  const el = (name, text, cls) => {
    const made = document.createElement(name);
    if (cls) made.className = cls;
    if (text) made.textContent = text;
    return made;
  };
  const send = (message) => { if (socket && socket.readyState === 1) socket.send(JSON.stringify(message)); };
  const size = () => {
    const room = document.documentElement.clientWidth - 20;
    const wide = room < 560 ? 40 : room < 900 ? 80 : 120;
    const above = scroll.getBoundingClientRect().top + scrollY, line = LINE * Math.max(9, Math.min(16, room / wide / 0.605));
    const high = Math.floor((innerHeight - above - (wide === 40 ? KEYS_ON_PHONE_PX : KEYS_PX)) / line);
    return [wide, Math.max(wide === 40 ? 20 : 24, Math.min(50, high))];
  };
  const fit = () => {
    const room = document.documentElement.clientWidth - 20;
    grid.style.setProperty("--cell", Math.max(9, Math.min(16, room / cols / 0.605)) + "px");
  };

  // The grid
  const run = (style, text) => {
    const span = el("span", "", style ? "s-" + style.replace(/\./g, "-") : "");
    if (WIDE.test(text)) {
      for (const char of text) span.append(WIDE.test(char) ? el("span", char, "w") : char);
    } else span.textContent = text;
    return span;
  };
  const width = (text) => { let n = 0; for (const char of text) n += WIDE.test(char) ? 2 : 1; return n; };
  const draw = (y) => {
    const row = y === 0 && badge ? patched(rows[0], badge) : rows[y];
    lines[y].replaceChildren(...row.map(([style, text]) => run(style, text)), "\n");
  };
  const patched = (row, [end, style, text]) => {
    const made = [], at = end - width(text);
    let x = 0, put = false;
    for (const [one, run] of row) {
      let left = "", right = "";
      for (const char of run) {
        if (x < at) left += char; else if (x >= end) right += char;
        x += WIDE.test(char) ? 2 : 1;
      }
      if (left) made.push([one, left]);
      if (x >= end && !put) { made.push([style, text]); put = true; }
      if (right) made.push([one, right]);
    }
    return put ? made : [...made, [style, text]];
  };
  const TIME = /(\d+(?::\d\d)+)/, LOW_S = 10;
  const bare = (words) => words.split(TIME).filter((_, at) => at % 2 === 0).join();  // or each second would be read out
  const seconds = (words) => words.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const inWords = (left, by) => {
    const s = Math.max(0, by > 0 ? Math.floor(left) : Math.ceil(left)), two = (n) => String(n).padStart(2, "0");
    return s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60)
      : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
  };
  const takeTimes = (shown) => {
    times = shown.flatMap(({words, by}) => {
      const [before, digits] = words.split(TIME);  // a clock stands alone, others behind a few letters
      return digits ? [{before: before.slice(-3), digits, by, from: Date.now() / 1000 - by * seconds(digits)}] : [];
    }).sort((one, other) => other.before.length - one.before.length);
  };
  const findTimes = () => {
    ticking = [];
    for (const line of times.length ? lines : []) {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let before = "", node; (node = texts.nextNode()); before += node.data) {
        const parts = node.data.split(TIME), found = parts.map((part, at) => at % 2 && times.find((time) =>
          Math.abs(seconds(time.digits) - seconds(part)) <= 1
          && (before + parts.slice(0, at).join("")).endsWith(time.before)));
        if (found.some(Boolean)) ticking.push({node, parts, found, own: node.parentNode.className});
      }
    }
  };
  const tick = () => {
    const now = Date.now() / 1000;
    for (const {node, parts, found, own} of ticking) {
      const left = found.map((time) => time && Math.max(0, time.by * (now - time.from)));
      node.data = parts.map((part, at) => found[at] ? inWords(left[at], found[at].by).padStart(part.length) : part).join("");
      const isLow = found.some((time, at) => time && time.by < 0 && !time.before && left[at] < LOW_S);
      if (/clock|turn/.test(own)) node.parentNode.className = isLow ? "s-clock-low" : own;
    }
  };
  setInterval(tick, 500);

  // What stands beside it
  const button = (name, value, ...parts) => {
    const made = el("button");
    made.type = "button";
    made.dataset[name] = value;
    made.append(...parts);
    return made;
  };
  const refill = (list, name, made) => {
    // What stays the same stays the same element: somebody may be pressing it
    const had = list.contains(document.activeElement) && document.activeElement.dataset[name];
    const old = [...list.children], wanted = made.map((one) => {
      const at = old.findIndex((other) => other.isEqualNode(one));
      return at < 0 ? one : old.splice(at, 1)[0];
    });
    for (const one of old) one.remove();
    wanted.forEach((one, at) => { if (list.children[at] !== one) list.insertBefore(one, list.children[at] || null); });
    const again = had && [...list.querySelectorAll("button")].find((one) => one.dataset[name] === had);
    if (again && again !== document.activeElement) again.focus();
  };
  const ARROWS = ["up", "down", "left", "right"];
  const showKeys = (shown) => {
    const made = [];
    let arrows = null;  // they stay side by side
    for (const one of shown) {
      const key = button("key", one.key, el("kbd", one.shown), one.label ? " " + one.label : "");
      const isArrow = ARROWS.includes(one.key);
      if (isArrow && !arrows) made.push(arrows = el("span", "", "arrows"));
      (isArrow ? arrows : made)[isArrow ? "append" : "push"](key);
    }
    refill(keys, "key", made);
  };
  const fillItems = (shown, stop) => refill(items, "row", shown.map((one) => {
    const parts = [el("span", one.text), ...(one.value ? [" ", el("b", one.value)] : [])];
    if (!one.number) {
      const made = el(one.kind === "heading" ? "h2" : "p");
      made.append(...parts);
      return made;
    }
    const made = button("row", one.number, ...parts);
    if (one.kind === "part") made.dataset.first = one.value;
    else if (one !== stop) made.tabIndex = -1;
    if (one.is_chosen) made.setAttribute("aria-current", "true");
    return made;
  }));
  const showItems = (shown) => {
    // Rows are one stop of Tab: arrows choose among them, and the focus goes along
    const rows = shown.filter((one) => one.kind === "row" && one.number), isInside = items.contains(document.activeElement);
    fillItems(shown, rows.find((one) => one.is_chosen) || rows[0]);
    const chosen = isInside && items.querySelector("[aria-current]");
    if (chosen) chosen.focus();
  };
  const showField = (now, asked) => {
    field = now;
    if (!now) {
      const had = input && document.activeElement === input;
      input = null;
      ask.replaceChildren(...(asked ? [el("p", asked)] : []));
      if (had) scroll.focus();
      return;
    }
    if (!input || input.dataset.label !== now.label) {
      const label = el("label", now.label + " ");
      input = el(now.keeps_lines ? "textarea" : "input");
      input.autocomplete = "off";
      input.maxLength = now.limit;
      input.dataset.label = now.label;
      said = [];
      input.addEventListener("input", typed);
      input.addEventListener("compositionstart", () => { composing = true; });
      input.addEventListener("compositionend", () => { composing = false; typed(); });
      label.append(input);
      ask.replaceChildren(label);
      input.focus();
    }
    const at = said.indexOf(now.text);
    if (at >= 0) said.splice(0, at + 1);  // what was typed some time ago, and more since
    else if (!composing && input.value !== now.text) input.value = now.text;
  };
  const typed = () => {
    if (composing || !field || !input) return;
    said.push(input.value);
    send({line: input.value, under: field.label, whole: false});
  };
  const enter = () => {
    send({line: input.value, under: field.label, whole: true});
    if (field.stays) {
      input.value = "";
      said = [""];
    }
  };
  const showLog = (happened) => {
    const follows = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    for (const [number, text] of happened) {
      if (told.has(number)) told.get(number).textContent = text;
      else {
        const made = el("p", text);
        told.set(number, made);
        log.append(made);
      }
    }
    if (follows) log.scrollTop = log.scrollHeight;
  };
  const showChat = (chat) => {
    const follows = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    const goesOn = (from) => wrote.slice(from).every((one, n) => chat[n] && one.every((part, m) => part === chat[n][m]));
    let from = 0;
    while (!goesOn(from)) from += 1;
    for (const [name, text] of chat.slice(wrote.length - from)) log.append(el("p", name + ": " + text));
    wrote = chat;
    if (follows) log.scrollTop = log.scrollHeight;
  };

  const standing = () => {
    const row = items.querySelector("[aria-current]");
    return {place, cursor, row: row ? row.firstChild.textContent : ""};
  };

  // The socket
  let asked = "";
  const mean = (now) => {
    const isElsewhere = (now.title !== undefined && now.title !== title) || (now.place !== undefined && now.place !== place);
    if (isElsewhere) {
      passed[place] = standing();
      told.clear();
      wrote = [];
      log.replaceChildren();
      if (scroll.getBoundingClientRect().top < 0) scroll.scrollIntoView();
    }
    if (now.title !== undefined) title = now.title;
    if (now.place !== undefined) place = now.place;
    if (now.cursor !== undefined) cursor = now.cursor;
    if (now.under) under = now.under;
    if (now.half_done) half = now.half_done;
    if (now.kept_s !== undefined) kept = now.kept_s;
    if (now.keys) showKeys(now.keys);
    if (now.holds !== undefined) keys.setAttribute("aria-busy", now.holds);
    if (now.asked !== undefined) asked = now.asked;
    if (now.entry !== undefined || (now.asked !== undefined && !field)) showField(now.entry || null, asked);
    if (now.said && bare(now.said.join(" ")) !== bare(state.textContent)) state.textContent = now.said.join(" ");
    if (now.items) showItems(now.items);
    if (now.happened) showLog(now.happened);
    if (now.chat) showChat(now.chat);
    if (now.times) takeTimes(now.times);
  };
  const look = (styles) => {
    const sheet = document.styleSheets[document.styleSheets.length - 1];
    while (sheet.cssRules.length > own) sheet.deleteRule(own);
    for (const [name, [colour, ground, settings]] of Object.entries(styles)) {
      const said = [];
      if (/^#[0-9a-f]{6}$/.test(colour)) said.push("color:" + colour);
      if (/^#[0-9a-f]{6}$/.test(ground)) said.push("background:" + ground);
      if (settings.includes("bold")) said.push("font-weight:bold");
      if (settings.includes("underline")) said.push("text-decoration:underline");
      if (/^[a-z0-9.]+$/.test(name) && said.length) {
        sheet.insertRule("[data-grid] .s-" + name.replace(/\./g, "-") + "{" + said.join(";") + "}", own);
      }
    }
  };
  const own = document.styleSheets[document.styleSheets.length - 1].cssRules.length;
  const takes = {
    size: ([wide, high]) => {
      cols = wide;
      badge = null;
      rows = Array.from({length: high}, () => []);
      lines = rows.map(() => el("span"));
      grid.replaceChildren(...lines);
      fit();
    },
    row: ([y, at, gone, made]) => {
      rows[y].splice(at, gone, ...made);
      if (y === 0) badge = null;
      draw(y);
    },
    badge: (now) => { badge = now; if (lines[0]) draw(0); },
    styles: look,
    means: mean,
    window: (text) => { if (text) document.title = text; },
    over: ([why, comesBack]) => {
      done = !comesBack;
      if (why) state.textContent = why;
      root.classList.remove("live");
      if (done) keys.replaceChildren();
    },
  };
  const take = (text) => {
    for (const line of text.split("\n")) {
      if (line) for (const [kind, value] of Object.entries(JSON.parse(line))) if (takes[kind]) takes[kind](value);
    }
    findTimes();
  };
  // What the page had last: it is said to the next socket, after a reload too
  let left = JSON.parse(sessionStorage.getItem(location.pathname) || "null");
  if (left && Date.now() - left.at > KEPT_MS) left = null;
  if (left) for (const one of left.under) passed[one.place] = one;
  const keep = () => {
    if (!rows.length) return;
    left = {...standing(), under: under.map((one) => ({...passed[one], place: one})), half_done: half, at: Date.now()};
    if (field && input) Object.assign(left, {command: field.command, label: field.label, text: input.value});
  };
  addEventListener("pagehide", () => {
    keep();
    if (left) sessionStorage.setItem(location.pathname, JSON.stringify(left));
  });
  const landing = () => {
    if (!left) return [root.dataset.place, root.dataset.id || ""];
    const [first, ...rest] = left.place.split(" ");
    return first === "" ? ["lobby", ""] : PLACES.includes(first) ? [first, rest.join(" ")] : ["page", left.place];
  };
  let lost = 0, again;
  const tellLost = () => {
    const ends = inWords(kept - (Date.now() - lost) / 1000), said = gone.dataset[kept ? "seat" : "lost"].split("{left}");
    if (gone.hidden) gone.replaceChildren(said[0], el("b"), said[1] || "");
    gone.hidden = false;
    gone.querySelector("b").textContent = kept ? ends : "";
  };
  setInterval(() => { if (lost) tellLost(); }, 500);
  const open = () => {
    clearTimeout(again);
    const there = location.origin.replace(/^http/, "ws");
    const opened = socket = new WebSocket(there + "/socket");
    opened.addEventListener("open", () => {
      keep();
      const ground = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
      const [where, what] = landing();
      const lang = document.documentElement.lang.replace("-", "_");
      send({place: where, id: what, size: size(), lang, ground, ...(left ? {left} : {})});
    });
    opened.addEventListener("message", (event) => {
      tries = lost = 0;
      gone.hidden = true;
      take(event.data);
    });
    opened.addEventListener("close", () => {
      if (done || opened !== socket) return;
      if (!lost) lost = Date.now();
      if (rows.length) tellLost();
      again = setTimeout(open, Math.min(10000, 500 * 2 ** tries++) * (0.5 + Math.random()));
    });
  };
  const hurry = () => { if (lost && !document.hidden && socket.readyState === WebSocket.CLOSED) open(); };
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);

  // What people do
  const pressed = (list, message) => list.addEventListener("click", (event) => {
    const one = event.target.closest("button");
    if (one) send(message(one));
  });
  pressed(keys, (one) => ({key: one.dataset.key}));
  pressed(items, ({dataset, firstChild}) => "first" in dataset ? {row: Number(dataset.row), text: dataset.first, opens: false}
    : {row: Number(dataset.row), text: firstChild.textContent});
  const cell = (event) => {
    const box = grid.getBoundingClientRect();
    const col = Math.floor((event.clientX - box.left) / (box.width / cols));
    return [col, Math.floor((event.clientY - box.top) / (box.height / rows.length))];
  };
  grid.addEventListener("click", (event) => { if (rows.length) send({tap: cell(event)}); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inField = event.target === input;
    if (event.target.closest("a, input, textarea") && !inField) return;
    if (event.key === "Enter" && event.target.localName === "textarea") return;
    if (event.target.closest("button") && (event.key === "Enter" || event.key === " ")) return;
    const name = NAMES[event.key] || (event.key.length === 1 ? event.key : "");
    if (!name || (inField && event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (inField && event.key === "Enter") enter();
    else send({key: name});
  });
  let waits;
  addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(() => { send({size: size()}); fit(); }, 200); });
  root.classList.add("live");
  fit();
  open();
})();
