// Series with forecasts: a list to search and sort, and a chart of one. Draws `forecasts`, which
// the program has written above.

import { areaOf, chart, curveColour, curves, said, spark } from "./series-chart.js";
import {
  amount,
  doubles,
  factText,
  floats,
  forecastAt,
  found,
  moved,
  nearestStep,
  size,
  sorted,
  unpacked,
  zoomed,
} from "./series-data.js";
import { momentText } from "./series-time.js";

/** @typedef {import("./series-data.js").Line} Line */
/** @typedef {import("./series-data.js").Range} Range */

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function typed(id, type) {
  const part = document.getElementById(id);
  if (!(part instanceof type)) throw new Error(`The page has no ${type.name} '${id}'.`);
  return part;
}

/** @param {string} id */
const byId = (id) => typed(id, HTMLElement);

/**
 * @param {keyof HTMLElementTagNameMap} name
 * @param {HTMLElement} parent
 * @param {string} [text] Names come from tables and are never markup.
 */
function element(name, parent, text) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  parent.appendChild(e);
  return e;
}

const { ids, series, facts } = forecasts;
const data = floats(forecasts.data);
/** Where the numbers of each series begin. @type {number[]} */
const starts = [];
series.reduce((sum, s) => (starts.push(sum), sum + size(s)), 0);
const places = forecasts.steps.map(({ first, start, length, places: all }) => {
  const known = all === "" ? null : doubles(all);
  return (/** @type {number} */ at) =>
    known ? known[at - first] : Number(start) + Number(length) * (at - first);
});

/** @param {number} i */
function lineOf(i) {
  const s = series[i];
  const numbers = data.subarray(starts[i], starts[i] + size(s));
  return unpacked(ids[i], s, numbers, places[s.steps]);
}

const dark = matchMedia("(prefers-color-scheme: dark)");
/** @returns {import("./series-chart.js").Theme} */
function colours() {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const of = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: of("ink"),
    grey: of("grey"),
    grid: of("grid"),
    axis: of("axis"),
    blue: of("blue"),
    green: of("green"),
    bands: [of("band-95"), of("band-80"), of("band-50")],
  };
}
let theme = colours();

// One series

const canvas = typed("chart", HTMLCanvasElement);
/** @type {Line} */
let line = { id: "", x: new Float64Array(), y: new Float64Array(), fans: [], shown: 0 };
/** @type {Range} */
let view = { low: 0, high: 1 };
/** @type {number | null} */
let marked = null;

/** @returns {Range} */
function everything() {
  const { x } = line;
  if (x.length === 0) return { low: 0, high: 1 };
  const each = x.length > 1 ? (x[x.length - 1] - x[0]) / (x.length - 1) : 1;
  return { low: x[0] - each / 2, high: x[x.length - 1] + each / 2 };
}

/** @returns {Range} */
function nearForecast() {
  const all = everything();
  const from = Math.max(0, line.y.length - line.shown);
  return from === 0 ? all : { low: line.x[from], high: all.high };
}

const least = () => Math.max(1e-9, (3 * (everything().high - everything().low)) / line.x.length);

function draw() {
  chart(canvas, line, view, theme, forecasts, marked);
  const { when, what } =
    marked === null
      ? { when: "", what: "Point at the chart, or move along it with the arrow keys." }
      : said(line, marked, forecasts);
  const read = byId("read");
  read.textContent = "";
  if (when) element("b", read, when + (what ? ": " : ""));
  read.append(what);
}

/** @param {Range} next */
function look(next) {
  view = next;
  draw();
}

/** @param {number} factor @param {number} [about] */
function zoom(factor, about) {
  const middle =
    about ?? (marked === null ? view.high - 0.3 * (view.high - view.low) : line.x[marked]);
  look(zoomed(view, factor, middle, everything(), least()));
}

/** @param {number} i */
function show(i) {
  line = lineOf(i);
  marked = null;
  byId("id").textContent = line.id;
  const list = byId("facts");
  list.textContent = "";
  facts.forEach((fact, k) => {
    const pair = element("div", list);
    pair.title = fact.about;
    element("dt", pair, fact.name);
    element("dd", pair, factText(series[i].facts[k], fact.unit));
  });
  look(nearForecast());
  if (typed("numbers", HTMLDetailsElement).open) tabulate();
  for (const card of document.querySelectorAll(".card[aria-current]"))
    card.removeAttribute("aria-current");
  cards[i]?.setAttribute("aria-current", "true");
}

/**
 * Adds an entry to a legend.
 *
 * @param {HTMLElement} place
 * @param {string} text
 * @param {string} colour
 * @param {"line" | "dashed line" | ""} kind
 */
function entry(place, text, colour, kind) {
  const one = element("span", place);
  const sample = element("i", one);
  sample.className = kind;
  if (kind) sample.style.borderColor = colour;
  else sample.style.background = colour;
  one.append(text);
}

function legend() {
  const place = byId("legend");
  const several = series.some((s) => s.fans.length > 1);
  entry(place, several ? "values" : "history", "var(--ink)", "line");
  entry(place, "median", "var(--blue)", "line");
  entry(
    place,
    "50 %",
    "linear-gradient(var(--band-50)), linear-gradient(var(--band-80)), var(--band-95)",
    "",
  );
  entry(place, "80 %", "linear-gradient(var(--band-80)), var(--band-95)", "");
  entry(place, "95 % interval", "var(--band-95)", "");
}

/** The steps of the forecasts as a table. */
function tabulate() {
  const table = byId("table");
  table.textContent = "";
  const head = element("tr", element("thead", table));
  const titles = [forecasts.time || "time", "value", "median"];
  for (const name of [...titles, "lo-80", "hi-80", "lo-95", "hi-95"]) element("th", head, name);
  const body = element("tbody", table);
  for (let i = 0; i < line.x.length; i++) {
    const at = forecastAt(line, i);
    if (!at) continue;
    const row = element("tr", body);
    const { form, zone } = forecasts;
    element("td", row, momentText(form, zone, line.x[i]));
    element("td", row, i < line.y.length ? amount(line.y[i]) : "");
    for (const l of [3, 1, 5, 0, 6]) element("td", row, amount(at.fan.q[l][at.k]));
  }
}

/** @type {Map<number, number>} */
const touches = new Map();
/** @param {MouseEvent} e */
const across = (e) => e.clientX - canvas.getBoundingClientRect().left;
/** @param {number} px */
const valueAt = (px) => {
  const a = areaOf(canvas.clientWidth, canvas.clientHeight);
  return view.low + ((px - a.left) / a.width) * (view.high - view.low);
};
canvas.addEventListener("pointerdown", (e) => {
  canvas.setPointerCapture(e.pointerId);
  touches.set(e.pointerId, across(e));
  canvas.classList.add("moving");
});
canvas.addEventListener("pointermove", (e) => {
  if (line.x.length === 0) return;
  const now = across(e);
  const before = touches.get(e.pointerId);
  marked = nearestStep(line.x, valueAt(now));
  if (before === undefined) {
    draw();
    return;
  }
  const others = [...touches].filter(([id]) => id !== e.pointerId).map(([, px]) => px);
  touches.set(e.pointerId, now);
  if (others.length === 0) look(moved(view, valueAt(before) - valueAt(now), everything()));
  else if (Math.abs(now - others[0]) > 8)
    zoom(Math.abs(now - others[0]) / Math.max(8, Math.abs(before - others[0])), valueAt(others[0]));
});
for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
  canvas.addEventListener(end, (e) => {
    touches.delete(e.pointerId);
    if (touches.size === 0) canvas.classList.remove("moving");
  });
canvas.addEventListener("pointerleave", () => {
  marked = null;
  draw();
});
canvas.addEventListener(
  "wheel",
  (e) => {
    e.preventDefault();
    zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 0.03 : 0.0015)), valueAt(across(e)));
  },
  { passive: false },
);
canvas.addEventListener("dblclick", (e) => zoom(2, valueAt(across(e))));

/** Reads the next step, and keeps it in view. @param {number} by */
function advance(by) {
  if (line.x.length === 0) return;
  const last = line.x.length - 1;
  const start = line.fans.length ? line.fans[line.fans.length - 1].from - by : last - by;
  marked = Math.max(0, Math.min(last, (marked ?? start) + by));
  const at = line.x[marked];
  if (at < view.low) look(moved(view, at - view.low, everything()));
  else if (at > view.high) look(moved(view, at - view.high, everything()));
  else draw();
}

canvas.addEventListener("keydown", (e) => {
  /** @type {Record<string, (() => void) | undefined>} */
  const keys = {
    ArrowLeft: () => advance(-1),
    ArrowRight: () => advance(1),
    PageUp: () => advance(-12),
    PageDown: () => advance(12),
    Home: () => advance(-line.x.length),
    End: () => advance(line.x.length),
    "+": () => zoom(1.6),
    "=": () => zoom(1.6),
    "-": () => zoom(1 / 1.6),
    0: () => look(everything()),
  };
  const act = e.ctrlKey || e.metaKey || e.altKey ? undefined : keys[e.key];
  if (!act) return;
  e.preventDefault();
  act();
});
byId("in").addEventListener("click", () => zoom(1.6));
byId("out").addEventListener("click", () => zoom(1 / 1.6));
byId("near").addEventListener("click", () => look(nearForecast()));
byId("whole").addEventListener("click", () => look(everything()));
byId("numbers").addEventListener("toggle", () => {
  if (typed("numbers", HTMLDetailsElement).open) tabulate();
});

// All series

const list = byId("cards");
/** The card of each series. @type {HTMLButtonElement[]} */
const cards = [];
/** The series in the list, in their order. @type {number[]} */
let listed = [];
const choice = typed("sort", HTMLSelectElement);
const search = typed("search", HTMLInputElement);
const turn = byId("turn");

const seenCards = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const small = target.querySelector("canvas");
      if (!isIntersecting) small?.remove();
      else if (!small && target instanceof HTMLElement) {
        const own = document.createElement("canvas");
        own.setAttribute("aria-hidden", "true");
        target.appendChild(own);
        spark(own, lineOf(Number(target.dataset.number)), theme);
      }
    }
  },
  { rootMargin: "200px" },
);

function arrange() {
  const k = Number(choice.value);
  const turned = turn.getAttribute("aria-pressed") === "true";
  const fact = k < 0 ? null : facts[k];
  listed = sorted(found(ids, search.value), ids, fact ? (i) => series[i].facts[k] : null, turned);
  byId("about").textContent = fact ? `${fact.name}: ${fact.about}` : "";
  turn.textContent = turned ? "↑" : "↓";
  byId("found").textContent =
    listed.length === ids.length
      ? `${ids.length.toLocaleString("en-US")} series`
      : `${listed.length.toLocaleString("en-US")} of ${ids.length.toLocaleString("en-US")} series`;
  const shown = fact ?? facts[0];
  const at = facts.indexOf(shown);
  for (const i of listed) {
    const text = cards[i].children[1];
    text.textContent = shown ? factText(series[i].facts[at], shown.unit) : "";
  }
  list.replaceChildren(...listed.map((i) => cards[i]));
  list.scrollTop = 0;
}

/** The number of cards in a row. */
function columns() {
  const top = cards[listed[0]]?.offsetTop;
  const next = listed.findIndex((i) => cards[i].offsetTop !== top);
  return next < 0 ? listed.length : next;
}

function fill() {
  ids.forEach((id, i) => {
    const card = document.createElement("button");
    card.type = "button";
    card.className = "card";
    card.title = id;
    card.dataset.number = String(i);
    element("span", card, id);
    element("span", card).className = "fact";
    card.addEventListener("click", () => {
      show(i);
      const place = byId("one");
      if (place.getBoundingClientRect().top < 0) place.scrollIntoView();
    });
    cards.push(card);
    seenCards.observe(card);
  });
  facts.forEach(({ name }, k) => choice.add(new Option(name, String(k))));
  choice.add(new Option("id", "-1"));
  choice.addEventListener("change", arrange);
  search.addEventListener("input", arrange);
  turn.addEventListener("click", () => {
    turn.setAttribute("aria-pressed", String(turn.getAttribute("aria-pressed") !== "true"));
    arrange();
  });
  list.addEventListener("keydown", (e) => {
    const now = listed.findIndex((i) => cards[i] === document.activeElement);
    /** @type {Record<string, number | undefined>} */
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns() };
    const move = by[e.key];
    if (now < 0 || move === undefined) return;
    e.preventDefault();
    const next = listed[now + move];
    if (next === undefined) return;
    cards[next].focus();
    show(next);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || document.activeElement instanceof HTMLInputElement) return;
    e.preventDefault();
    search.focus();
  });
  arrange();
}

// Scores

/** @type {(() => void)[]} */
const scorePictures = [];

function scores() {
  const { panels, table } = forecasts;
  if (panels.length + table.length === 0) return;
  byId("scores").hidden = false;
  byId("main").classList.add("scored");
  for (const panel of panels) {
    const place = element("div", byId("panels"));
    element("h3", place, panel.title);
    const key = element("p", place);
    key.className = "legend";
    const own = document.createElement("canvas");
    own.setAttribute("role", "img");
    const words = panel.curves.map(
      ({ name, y }) => `${name}: ${y.map((v) => amount(v ?? NaN)).join(", ")}`,
    );
    own.setAttribute(
      "aria-label",
      `${panel.title}, ${panel.label}, from the first step. ${words.join(". ")}`,
    );
    place.appendChild(own);
    scorePictures.push(() => {
      curves(own, panel, theme);
      key.textContent = "";
      for (const curve of panel.curves)
        if (curve.name)
          entry(
            key,
            curve.name,
            curveColour(panel, curve, theme),
            curve.ours ? "line" : "dashed line",
          );
    });
  }
  table.forEach((cells, r) => {
    const row = element("tr", byId("scored"));
    for (const cell of cells) element(r === 0 ? "th" : "td", row, cell);
  });
}

function redraw() {
  theme = colours();
  draw();
  for (const small of list.querySelectorAll("canvas")) {
    spark(small, lineOf(Number(small.parentElement?.dataset.number)), theme);
  }
  for (const picture of scorePictures) picture();
}

byId("title").textContent = forecasts.title;
/** Keeps numbers and their percent signs on one line. @param {string} text */
const whole = (text) => text.replaceAll(" %", "\u00a0%");
byId("subtitle").textContent = whole(forecasts.subtitle);
byId("note").textContent = whole(forecasts.note);
legend();
scores();
if (ids.length > 1) fill();
else {
  byId("list").hidden = true;
  byId("main").classList.add("single");
}
if (ids.length > 0) show(listed[0] ?? 0);
else byId("one").hidden = true;
for (const picture of scorePictures) picture();
dark.addEventListener("change", redraw);
window.addEventListener("resize", redraw);
document.documentElement.dataset.ready = "true";
