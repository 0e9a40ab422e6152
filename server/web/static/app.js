"use strict";
// The page's half of docs/web.md: draws rows, keys, log and clocks, and sends keys, texts and taps. Text nodes only.
(() => {
  const root = document.getElementById("session");
  if (!root || !root.dataset.place) return;
  const grid = root.querySelector("[data-grid]"), scroll = document.getElementById("scroll");
  const by = (id) => document.getElementById(id);
  const log = by("log"), keys = by("keys"), items = by("items"), state = by("state"), ask = by("ask");
  const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]/;
  const CLOCK = /^s-clock-(run|low)$/;
  const NAMES = {Enter: "enter", Escape: "esc", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
    Backspace: "backspace", Delete: "delete", Home: "home", End: "end", PageUp: "page up", PageDown: "page down"};
  let socket, rows = [], lines = [], cols = 80, cursor = null, badge = null, clocks = [], skew = 0, tries = 0, done = false;
  let ticking = [], field = null, input = null, composing = false;

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
    return [wide, wide === 40 ? 44 : wide === 80 ? 30 : 40];
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
    const line = lines[y];
    let row = rows[y];
    if (y === 0 && badge) row = patched(row, badge);
    line.replaceChildren(...row.map(([style, text]) => run(style, text)), "\n");
  };
  const patched = (row, [at, style, text]) => {
    const made = [], end = at + width(text);
    let x = 0;
    for (const [one, run] of row) {
      let left = "", right = "";
      for (const char of run) {
        if (x < at) left += char; else if (x >= end) right += char;
        x += WIDE.test(char) ? 2 : 1;
      }
      if (left) made.push([one, left]);
      if (x >= end && text) { made.push([style, text]); text = ""; }
      if (right) made.push([one, right]);
    }
    return text ? [...made, [style, text]] : made;
  };
  const findClocks = () => {
    ticking = [];
    for (const span of grid.querySelectorAll(".s-clock-run, .s-clock-low")) {
      const digits = span.textContent.match(/\d+(:\d\d)+/);
      const clock = digits && (clocks.find((one) => one.words === digits[0]) || (clocks.length === 1 && clocks[0]));
      if (clock) ticking.push({span, clock, before: span.textContent, digits: digits[0]});
    }
    tick();
  };
  const words = (ms) => {
    const s = Math.max(0, Math.floor(ms / 1000)), two = (n) => String(n).padStart(2, "0");
    return s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60)
      : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
  };
  const tick = () => {
    const now = Date.now() + skew;
    for (const {span, clock, before, digits} of ticking) {
      const left = Math.min(clock.most_ms, clock.ends_ms - now), said = words(left);
      span.textContent = before.replace(digits, said.padStart(digits.length));
      span.className = left < 20000 ? "s-clock-low" : "s-clock-run";
    }
  };
  setInterval(tick, 500);

  // What stands beside it
  const showKeys = (shown) => {
    const kept = document.activeElement && document.activeElement.dataset.key;
    keys.replaceChildren(...shown.map((one) => {
      const button = el("button");
      button.type = "button";
      button.dataset.key = one.press;
      button.append(el("kbd", one.shown), " " + one.label);
      return button;
    }));
    if (kept) for (const button of keys.children) if (button.dataset.key === kept) button.focus();
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
    if (!input) {
      const label = el("label", now.prompt + " ");
      input = el("input");
      input.autocomplete = "off";
      input.addEventListener("input", typed);
      input.addEventListener("compositionstart", () => { composing = true; });
      input.addEventListener("compositionend", () => { composing = false; typed(); });
      label.append(input);
      ask.replaceChildren(label);
      input.focus();
    }
    if (!composing && input.value !== now.text) input.value = now.text;
  };
  const typed = () => {
    if (composing || !field || !input) return;
    const was = field.text, now = input.value;
    let same = 0;
    while (same < was.length && same < now.length && was[same] === now[same]) same++;
    send({key: "end"});
    for (let n = [...was.slice(same)].length; n > 0; n--) send({key: "backspace"});
    if (now.length > same) send({text: now.slice(same)});
    field = {...field, text: now};
  };
  const showLog = ([anew, added]) => {
    if (anew) log.replaceChildren();
    const follows = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    log.append(...added.map((text) => el("p", text)));
    if (follows) log.scrollTop = log.scrollHeight;
  };

  // The socket
  let asked = "";
  const take = (message) => {
    if (message.now) skew = message.now - Date.now();
    if (message.theme !== undefined) {
      if (message.theme && message.theme !== "default") document.documentElement.dataset.theme = message.theme;
      else delete document.documentElement.dataset.theme;
    }
    if (message.window !== undefined) document.title = message.window || document.title;
    if (message.cols) { cols = message.cols; fit(); }
    if (message.whole) {
      rows = message.whole;
      badge = null;
      lines = rows.map(() => el("span"));
      grid.replaceChildren(...lines);
      rows.forEach((row, y) => draw(y));
    }
    for (const [y, row] of message.rows || []) { rows[y] = row; if (y === 0) badge = null; draw(y); }
    if (message.badge) { badge = message.badge; if (lines[0]) draw(0); }
    if (message.cursor !== undefined) cursor = message.cursor;
    if (message.clocks) clocks = message.clocks;
    if (message.whole || message.rows || message.clocks) findClocks();
    if (message.keys) showKeys(message.keys);
    if (message.asked !== undefined) asked = message.asked;
    if (message.field !== undefined || message.asked !== undefined) {
      showField(message.field !== undefined ? message.field : field, asked);
    }
    if (message.said !== undefined) state.textContent = message.said;
    if (message.items) items.replaceChildren(...message.items.map((text) => el("p", text)));
    if (message.log) showLog(message.log);
    if (message.over !== undefined) {
      done = !message.again;
      if (message.over) state.textContent = message.over;
      if (done) keys.replaceChildren();
    }
  };
  const open = () => {
    const there = location.origin.replace(/^http/, "ws");
    socket = new WebSocket(there + "/socket");
    socket.addEventListener("open", () => {
      tries = 0;
      const {place, id} = root.dataset;
      send({place, id: id || "", size: size(), lang: navigator.language.replace("-", "_")});
    });
    socket.addEventListener("message", (event) => {
      for (const line of event.data.split("\n")) if (line) take(JSON.parse(line));
    });
    socket.addEventListener("close", () => {
      if (!done) setTimeout(open, Math.min(30000, 500 * 2 ** tries++) * (0.5 + Math.random()));
    });
  };

  // What people do
  keys.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) send({key: button.dataset.key});
  });
  const cell = (event) => {
    const box = grid.getBoundingClientRect();
    const col = Math.floor((event.clientX - box.left) / (box.width / cols));
    return [col, Math.floor((event.clientY - box.top) / (box.height / rows.length))];
  };
  grid.addEventListener("click", (event) => { if (rows.length) send({tap: cell(event)}); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inField = event.target === input;
    if (event.target.closest("a, input") && !inField) return;
    if (event.target.closest("button") && (event.key === "Enter" || event.key === " ")) return;
    const name = NAMES[event.key] || (event.key.length === 1 ? event.key : "");
    if (!name || (inField && event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    send({key: name});
  });
  let waits;
  addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(() => { send({size: size()}); fit(); }, 200); });
  fit();
  open();
})();
