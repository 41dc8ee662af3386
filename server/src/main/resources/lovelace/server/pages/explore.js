// One model, live: its picture, its parameters, and observations that join this page's copy of it.

import * as api from "./api.js";
import { Curve } from "./curve.js";
import { Heat } from "./heat.js";
import { Scale, milliseconds, number, undo, whole } from "./format.js";
import { Sliders } from "./sliders.js";
import { byId, complain, facts, make, say, told } from "./page.js";

const SIDE = 64;
const SLICE = 48; // points of the slice along a column

export class Explore {
  constructor() {
    this.channel = new api.Channel();
    this.session = null;
    const add = (x, y) => told(() => this.#addAt(x, y));
    this.curve = new Curve(byId("curve"), {
      add,
      hover: (here, cursor) => this.#hover(here, cursor),
      say: (here, y) => say(`${this.scales[this.x].text(here.x)}: ${this.#words(here)}; Enter adds ${number(this.#possible(y))}`),
      more: () => this.#moreDraws(),
    });
    const on = { add, hover: (x, y) => this.#point(x, y), say: (x, y) => this.#sayPlace(x, y) };
    this.maps = [new Heat(byId("mean"), "value", on), new Heat(byId("doubt"), "doubt", on)];
    this.slices = [new Curve(byId("slice-across")), new Curve(byId("slice-up"))];
    this.sliders = new Sliders(byId("sliders"), (path, i, value) => told(() => this.channel.send(() => this.#set(path, i, value))));
    this.#controls();
  }

  #controls() {
    byId("play").onclick = () => {
      this.curve.playing = !this.curve.playing;
      this.#playing();
      this.curve.go();
    };
    this.#playing();
    for (const id of ["draws", "seed"]) byId(id).onchange = () => told(() => this.#change("view"));
    byId("bands").onchange = () => {
      this.curve.noisy = byId("bands").value === "observation";
      this.curve.paint();
    };
    byId("add").onsubmit = (event) => {
      event.preventDefault();
      told(() => this.#addTyped());
    };
    byId("undo").onclick = () => told(() => this.#change("undo", {}, "Took the last observation back."));
    byId("reset").onclick = () => told(() => this.#change("reset", {}, "Back to the model as it was."));
    byId("learn").onclick = () => told(() => this.#learn());
    byId("download").onclick = () => told(() => this.#download());
  }

  #playing() {
    byId("play").textContent = this.curve.playing ? "Pause draws" : "Play draws";
    byId("play").setAttribute("aria-pressed", String(this.curve.playing));
  }

  // ---- opening ----

  /** Opens a copy of a model that is served. */
  async open(name) {
    await this.adopt(await api.post("sessions", { model: name }));
  }

  /** Shows a copy that the server has made. */
  async adopt(answer) {
    this.accept(answer, true);
    await this.#change("view", { data: true });
  }

  accept(answer, fresh = false) {
    const state = answer.state;
    if (fresh) {
      if (this.session) api.remove("sessions/" + this.session);
      this.session = state.id;
      this.added = 0;
      this.scales = state.columns.map((column) => new Scale(column));
      this.middle = state.columns.map((column) => column.middle);
      this.x = 0;
      this.y = state.columns.length > 1 ? 1 : -1;
      this.data = null;
      byId("line").hidden = this.y >= 0;
      byId("plane").hidden = this.y < 0;
      this.cursor = null;
      const classes = state.law.values === "classes"; // an observation is 0 or 1: no band
      byId("bands").options[1].disabled = classes;
      if (classes) byId("bands").value = "function";
      this.curve.noisy = byId("bands").value === "observation";
      this.#fields(state);
      this.#axes(state);
      this.#columns(state);
    }
    this.state = state;
    if (fresh) this.#cursor(null);
    this.sliders.show(state);
    this.#about(state);
    if (answer.view && !fresh) this.#show(answer.view);
  }

  #fields(state) {
    const hint = this.y >= 0
      ? "Or click into a map; an empty value means the mean there. Only this page’s copy learns from it."
      : "Or click into the picture. Only this page’s copy learns from it.";
    byId("add-hint").textContent = hint;
    byId("add-fields").replaceChildren(
      ...[...state.columns.map((column) => column.label), state.target.label].map((label, i) => {
        return make("label", {}, label, field(this.scales[i], { id: "add-" + i, autocomplete: "off" }));
      }));
  }

  /** Which columns are drawn, and what the others are held at. */
  #axes(state) {
    const d = state.columns.length;
    byId("axes").replaceChildren();
    if (d < 3) return;
    const choose = (label, key) => {
      const select = make("select", {}, ...state.columns.map((column, j) => make("option", { value: j }, column.name)));
      select.value = this[key];
      select.onchange = () => {
        const other = key === "x" ? "y" : "x";
        if (Number(select.value) === this[other]) this[other] = this[key];
        this[key] = Number(select.value);
        this.cursor = null;
        this.#axes(state);
        told(() => this.#change("view", { data: true }));
      };
      return make("label", {}, label, select);
    };
    const held = state.columns.map((column, j) => {
      if (j === this.x || j === this.y) return null;
      const input = field(this.scales[j], {});
      input.value = this.scales[j].text(this.middle[j]);
      input.onchange = () => {
        const value = this.scales[j].value(input.value);
        if (Number.isFinite(value)) this.middle[j] = value;
        told(() => this.#change("view"));
      };
      return make("label", {}, column.label + " held at", input);
    });
    byId("axes").append(choose("Across", "x"), choose("Up", "y"), ...held.filter(Boolean));
  }

  /** A picture along every column; a click holds the column there for all the others. */
  #columns(state) {
    const wide = state.columns.length > 2;
    byId("columns").hidden = !wide;
    this.along = [];
    byId("column-slices").replaceChildren(...(!wide ? [] : state.columns.map((column, j) => {
      const canvas = make("canvas", { id: "along-" + j, tabindex: 0 });
      this.along.push(new Curve(canvas, {
        add: (x) => told(() => this.#hold(j, x)),
        hover: () => {},
        say: (here) => say(`${this.scales[j].text(here.x)}: ${this.#words(here)}; Enter holds ${column.label} there`),
      }));
      return make("figure", { class: "card" }, make("h3", { id: "along-title-" + j }), make("div", { class: "plot low" }, canvas));
    })));
  }

  async #hold(j, value) {
    this.middle[j] = value;
    this.#axes(this.state);
    if (this.cursor && j === this.x) this.cursor.x = value;
    if (this.cursor && j === this.y) this.cursor.y = value;
    await this.#change("view", {}, `${this.scales[j].label} is held at ${this.scales[j].text(value)}.`);
  }

  // ---- asking ----

  #view(more = {}) {
    const base = { x: this.x, at: this.middle, ...more };
    const wide = this.scales.length > 2 ? { slices: SLICE } : {};
    if (this.y >= 0) return { ...base, ...wide, y: this.y, nx: SIDE, ny: SIDE };
    return { ...base, points: 400, draws: this.#draws(), seed: this.#seed() };
  }

  #draws() {
    return Math.min(Math.max(Math.round(Number(byId("draws").value) || 0), 0), 16);
  }

  #seed() {
    return Math.max(0, Math.round(Number(byId("seed").value) || 0));
  }

  async #change(what, more = {}, words = "") {
    const { data, ...body } = more;
    const id = this.session;
    const answer = await api.post(`sessions/${id}/${what}`, { ...body, view: this.#view(data ? { data } : {}) });
    if (id !== this.session) return;
    this.accept(answer);
    if (words) say(words);
  }

  async #moreDraws() {
    const id = this.session;
    const seed = this.#seed() + 1;
    try {
      const { view } = await api.postQuietly(`sessions/${id}/view`, { view: { ...this.#view(), seed } });
      if (id !== this.session || !this.curve.playing) return;
      byId("seed").value = seed;
      this.curve.next(view.draws ?? []);
    } catch (failure) {
      this.curve.playing = false;
      this.#playing();
      complain(failure.message);
    }
  }

  async #addAt(x, y) {
    const row = [...this.middle];
    if (this.y >= 0) {
      row[this.x] = x;
      row[this.y] = y;
      const typed = this.#typed(this.scales.length);
      row.push(Number.isFinite(typed) ? typed : this.#possible(this.#predicted(x, y).median));
    } else {
      row[0] = x;
      row.push(this.#possible(y));
    }
    await this.#observe(row);
  }

  #typed(i) {
    const text = byId("add-" + i).value;
    return i < this.scales.length ? this.scales[i].value(text) : text.trim() === "" ? NaN : Number(text.replace("−", "-"));
  }

  async #addTyped() {
    const row = [...this.scales.keys(), this.scales.length].map((i) => this.#typed(i));
    const wrong = row.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      byId("add-" + wrong).focus();
      const column = [...this.state.columns, this.state.target][wrong];
      throw new Error(`'${byId("add-" + wrong).value}' is no value of ${column.label}; write a ${this.scales[wrong]?.isTime ? "time like " + this.scales[wrong].text(this.middle[wrong]) : "number"}.`);
    }
    await this.#observe(row);
  }

  /** A value as the likelihood can have it: a count is whole, a class 0 or 1. */
  #possible(value) {
    const { values } = this.state.law;
    return values === "classes" ? (value >= 0.5 ? 1 : 0) : values === "counts" ? Math.max(0, Math.round(value)) : value;
  }

  async #observe(row) {
    const start = performance.now();
    const place = this.scales.map((scale, j) => scale.text(row[j])).join(", ");
    await this.#change("observe", { row });
    say(`Added ${number(row.at(-1))} at ${place} in ${milliseconds(performance.now() - start)}.`);
  }

  async #learn() {
    const cancel = byId("learn-cancel");
    const stop = new AbortController();
    let job = null;
    cancel.hidden = false;
    byId("learn").disabled = true;
    cancel.onclick = () => { if (job) api.post(`jobs/${job}/cancel`); stop.abort(); };
    try {
      const answer = await api.stream(`sessions/${this.session}/learn`, { view: this.#view() }, (line) => {
        job ??= line.job;
        if (line.iteration !== undefined) byId("learning").textContent = `Step ${line.iteration}, log likelihood ${number(line.likelihood)}`;
      }, stop.signal);
      byId("learning").textContent = answer.cancelled ? "Cancelled." : `Learned in ${milliseconds(answer.milliseconds)}.`;
      if (!answer.cancelled) this.accept(answer);
    } catch (failure) {
      if (failure.name !== "AbortError") throw failure;
      byId("learning").textContent = "Cancelled.";
    } finally {
      cancel.hidden = true;
      byId("learn").disabled = false;
    }
  }

  async #download() {
    const { blob, name } = await api.blob(`sessions/${this.session}/model`);
    const link = make("a", { href: URL.createObjectURL(blob), download: name ?? "model.lvl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`Downloaded ${link.download}.`);
  }

  // ---- showing ----

  #show(view) {
    if (view.data) this.data = view.data;
    const { shown, transform, noise, added } = this.state;
    const words = { target: shown, transform, noise, added };
    if (this.y < 0) {
      this.curve.show({ ...view, data: this.data }, { scale: this.scales[0], ...words });
      this.curve.describe(`Posterior of ${shown} along ${this.scales[0].label}, ${whole(this.state.observations)} observations`);
      this.#legend();
    } else {
      this.#showMaps(view);
      if (view.slices) this.#showColumns(view.slices, words);
    }
    this.#numbers();
  }

  /** What the middle of a prediction is called. */
  #middle() {
    return this.state.transform === "none" ? "mean" : "median";
  }

  /** The deviation as it is told: of a log-normal relative to the median, as a ratio; of ranks half of the middle 68 %. */
  #doubt(m, s) {
    const { transform } = this.state;
    if (transform === "none") return s;
    if (transform === "log") return Math.exp(s) - 1;
    const back = undo(transform);
    return (back(m + s) - back(m - s)) / 2;
  }

  #showMaps(view) {
    const back = undo(this.state.transform);
    this.map = view;
    const doubt = view.sd.map((s, i) => this.#doubt(view.mean[i], s));
    const few = (this.data?.x?.length ?? 0) <= 400;
    const marks = (this.data?.x ?? []).map((x, i) => ({ x, y: this.data.y[i], style: few ? "row" : "faint", size: few ? 1 : 0.5 }));
    for (const row of this.state.added) marks.push({ x: row[this.x], y: row[this.y], style: "added" });
    const [across, up] = [this.scales[this.x], this.scales[this.y]];
    const label = this.state.shown;
    this.maps[0].show({ ...view, values: view.mean.map(back) }, { across, up, marks });
    this.maps[1].show({ ...view, values: doubt }, { across, up, marks });
    this.maps[0].describe(`Mean of ${label} over ${across.label} and ${up.label}`);
    this.maps[1].describe(`Standard deviation of ${label} over ${across.label} and ${up.label}`);
    this.cursor ??= { x: (view.from + view.to) / 2, y: (view.low + view.high) / 2 };
    this.#point(this.cursor.x, this.cursor.y);
  }

  /** One slice for each column through what all are held at, on one scale. */
  #showColumns(slices, words) {
    const back = undo(this.state.transform);
    const ends = slices.flatMap(({ mean, sd }) => mean.flatMap((m, i) => [back(m - 1.96 * sd[i]), back(m + 1.96 * sd[i])]));
    const low = ends.reduce((a, b) => Math.min(a, b), Infinity);
    const high = ends.reduce((a, b) => Math.max(a, b), -Infinity);
    slices.forEach((slice, j) => {
      const scale = this.scales[j];
      const title = `Along ${scale.label}, held at ${scale.text(this.middle[j])}`;
      byId("along-title-" + j).textContent = title;
      this.along[j].fixed = [low - 0.05 * (high - low), high + 0.05 * (high - low)];
      this.along[j].show(slice, { ...words, added: [], scale });
      this.along[j].describe(title);
    });
  }

  /** The cursor on the maps; the slices go through it. */
  #point(x, y) {
    this.cursor = { x, y };
    for (const map of this.maps) map.point(this.cursor);
    const { nx, ny, from, to, low, high, mean, sd } = this.map;
    const [heat] = this.maps;
    const along = (n, place) => ({
      points: n,
      mean: Array.from({ length: n }, (_, i) => heat.at(mean, ...place(i))),
      sd: Array.from({ length: n }, (_, i) => heat.at(sd, ...place(i))),
    });
    const across = { ...along(nx, (i) => [from + ((to - from) * i) / (nx - 1), y]), from, to };
    const up = { ...along(ny, (i) => [x, low + ((high - low) * i) / (ny - 1)]), from: low, to: high };
    const words = { target: this.state.shown, transform: this.state.transform, noise: this.state.noise };
    const [sx, sy] = [this.scales[this.x], this.scales[this.y]];
    const range = this.#heights();
    this.slices.forEach((slice, k) => {
      slice.fixed = range;
      slice.cursor = k === 0 ? { x, y: this.#predicted(x, y).median } : { x: y, y: this.#predicted(x, y).median };
      slice.show(k === 0 ? across : up, { scale: k === 0 ? sx : sy, ...words });
      slice.before = null;
    });
    byId("slice-across-title").textContent = `Along ${sx.label}, at ${sy.label} = ${sy.text(y)}`;
    byId("slice-up-title").textContent = `Along ${sy.label}, at ${sx.label} = ${sx.text(x)}`;
    this.slices[0].describe(byId("slice-across-title").textContent);
    this.slices[1].describe(byId("slice-up-title").textContent);
    this.#cursor(this.#predicted(x, y), [[sx.label, sx.text(x)], [sy.label, sy.text(y)]]);
  }

  /** One range for both slices wherever the cursor is. */
  #heights() {
    const { mean, sd } = this.map;
    const back = undo(this.state.transform);
    let low = Infinity;
    let high = -Infinity;
    mean.forEach((m, i) => {
      low = Math.min(low, back(m - 1.96 * sd[i]));
      high = Math.max(high, back(m + 1.96 * sd[i]));
    });
    return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
  }

  #predicted(x, y) {
    const [heat] = this.maps;
    const back = undo(this.state.transform);
    const m = heat.at(this.map.mean, x, y);
    const s = heat.at(this.map.sd, x, y);
    const total = Math.sqrt(s * s + this.state.noise);
    const interval = (half, d) => [back(m - half * d), back(m + half * d)];
    const observed = this.state.law.gaussian ? interval(1.959964, total) : null;
    return { median: back(m), m, s, half: interval(0.6744898, s), nearly: interval(1.959964, s), observed };
  }

  #sayPlace(x, y) {
    say(`${this.scales[this.x].text(x)}, ${this.scales[this.y].text(y)}: ${this.#words(this.#predicted(x, y))}`);
  }

  #words(here) {
    return `${this.#middle()} ${number(here.median)}, 95 % between ${number(here.nearly[0])} and ${number(here.nearly[1])}`;
  }

  #hover(here, cursor) {
    if (!here) return this.#cursor(null);
    this.#cursor(here, [[this.scales[0].label, this.scales[0].text(here.x)], ["would add", number(this.#possible(cursor.y))]]);
  }

  #cursor(here, places = []) {
    const between = ([low, high]) => `${number(low)} to ${number(high)}`;
    facts(byId("cursor"), here
      ? [
          ...places,
          [this.#middle(), number(here.median)],
          this.state.transform === "log" ? ["factor", "×÷ " + number(Math.exp(here.s), 3)] : ["std. deviation", number(this.#doubt(here.m, here.s), 3)],
          ["50 %", between(here.half)],
          ["95 %", between(here.nearly)],
          ...(here.observed ? [["95 % of observations", between(here.observed)]] : []),
        ]
      : [["", "Move over the picture, or focus it and use the arrow keys."]]);
  }

  #legend() {
    const item = (kind, style, text) => make("span", {}, make("i", { class: kind, style }), text);
    const kind = this.data?.kind;
    const data = {
      rows: "rows of the table",
      cells: `${whole(this.data?.count ?? 0)} rows, counted in cells`,
      averages: `averages of ${whole(this.data?.x?.length ?? 0)} cells: the model file has no rows`,
    }[kind];
    byId("curve-legend").replaceChildren(
      item("rule", "background:var(--mean)", this.#middle()),
      item("", "background:color-mix(in srgb, var(--mean) 40%, transparent)", "50 %"),
      item("", "background:color-mix(in srgb, var(--mean) 18%, transparent)", "95 %"),
      item("rule", "background:var(--draw)", "draws"),
      ...(data ? [item("dot", "background:var(--data)", data)] : []),
      ...(this.state.added.length ? [item("dot", "background:var(--added)", "added by you")] : []));
  }

  /** What the picture shows, for those who read rather than look. */
  #numbers() {
    const head = ["", this.#middle(), "95 % from", "to"];
    const rows = [];
    if (this.y < 0) {
      const { from, to } = this.curve.shown;
      for (let i = 0; i <= 10; i++) {
        const here = this.curve.at(from + ((to - from) * i) / 10);
        rows.push([this.scales[0].text(here.x), number(here.median), number(here.nearly[0]), number(here.nearly[1])]);
      }
      head[0] = this.scales[0].label;
    } else {
      const { from, to, low, high } = this.map;
      for (let j = 0; j <= 4; j++)
        for (let i = 0; i <= 4; i++) {
          const [x, y] = [from + ((to - from) * i) / 4, low + ((high - low) * j) / 4];
          const here = this.#predicted(x, y);
          rows.push([`${this.scales[this.x].text(x)}, ${this.scales[this.y].text(y)}`, number(here.median), number(here.nearly[0]), number(here.nearly[1])]);
        }
      head[0] = `${this.scales[this.x].label}, ${this.scales[this.y].label}`;
    }
    byId("numbers").replaceChildren(
      make("table", {},
        make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text)))))));
  }

  // ---- parameters and facts ----

  async #set(path, i, value) {
    const values = [...this.state.parameters.find((p) => p.path === path).values];
    values[i] = value;
    await this.#change("parameters", { values: { [path]: values } });
  }

  #about(state) {
    byId("facts").textContent = `${whole(state.observations)} observations of ${state.target.label} by ${state.columns.map((c) => c.label).join(", ")}`;
    const list = [
      ["kernel", state.kernel.replace(/\([^()]*=[^()]*\)/g, "").replace(/^[\d.eE+-]+\*/, "").replace(/^\((.*)\)$/, "$1")],
      ["engine", state.engine],
      ["log likelihood", typeof state.likelihood === "number" ? number(state.likelihood, 6) : "not computed"],
    ];
    if (!state.law.gaussian) {
      const values = Object.entries(state.law.parameters).map(([name, value]) => `${name} ${number(value)}`).join(", ");
      list.unshift(["likelihood", state.law.name + (values && `, ${values}`)]);
      list.push(["approximation", `Laplace’s, ${state.law.steps} Newton steps, the last ${number(state.law.residual, 2)} sd long`]);
    }
    if (state.variances) list.push(["variances", state.variances]);
    if (state.grid) list.push(["grid", state.grid.replace(/ over .*/, "")]);
    if (state.added.length) list.push(["added here", whole(state.added.length)]);
    if (state.advice) list.push(["advice", state.advice]);
    facts(byId("about"), list);
    byId("undo").disabled = state.added.length === 0;
  }
}/** A box to type into, or to choose one of the words of a column. */
function field(scale, properties) {
  return scale?.words
    ? make("select", properties, ...scale.words.map((word) => make("option", { value: word }, word)))
    : make("input", properties);
}


