// What the page shows of a copy of a model: a line or maps with their slices, and both in words.

/** @import { Line } from "./answers.js" */
/** @import { Here } from "./curve.js" */
/** @import { Prediction } from "./prediction.js" */
/** @import { Facts, Copy } from "./state.js" */

import { Curve } from "./curve.js";
import { Heat } from "./heat.js";
import { number, whole } from "./format.js";
import { byId, canvas, facts, make, say, tableParts } from "./page.js";
import { reach, slices } from "./prediction.js";

/**
 * @typedef {object} PictureListener
 * @property {(x: number, y: number) => void} add A place was chosen for an observation.
 * @property {(column: number, value: number) => void} hold A column is to be held at a value.
 * @property {() => Promise<void>} more The next draws are needed.
 */

export class Picture {
  /** @type {Copy | null} */
  #copy = null;
  /** @type {Curve[]} One for each column of a wide model. */
  #along = [];

  /** @param {PictureListener} on */
  constructor(on) {
    this.on = on;
    this.curve = new Curve(canvas("curve"), {
      add: on.add,
      hover: (here, y) => this.#hover(here, y),
      say: (here, y) => {
        const copy = this.copy;
        const place = copy.across.text(here.x);
        say(`${place}: ${copy.words(here)}; Enter adds ${number(copy.possible(y))}`);
      },
      more: on.more,
    });
    const map = {
      add: on.add,
      hover: (/** @type {number} */ x, /** @type {number} */ y) => this.#point(x, y),
      say: (/** @type {number} */ x, /** @type {number} */ y) => {
        const { across, up } = this.copy;
        say(`${across.text(x)}, ${up.text(y)}: ${this.copy.words(this.copy.at(x, y))}`);
      },
    };
    this.mean = new Heat(canvas("mean"), "value", map);
    this.doubt = new Heat(canvas("doubt"), "doubt", map);
    this.slices = [new Curve(canvas("slice-across")), new Curve(canvas("slice-up"))];
  }

  /** The copy that is shown. */
  get copy() {
    if (!this.#copy) throw new Error("No model is open.");
    return this.#copy;
  }

  /**
   * Shows another copy.
   *
   * @param {Copy} copy
   */
  begin(copy) {
    this.#copy = copy;
    byId("line").hidden = copy.isPlane;
    byId("plane").hidden = !copy.isPlane;
    this.curve.cursor = null;
    this.#columns();
    this.#cursor(null);
  }

  /** One small picture for each column of a wide model. A click holds the column there. */
  #columns() {
    const { isWide, state, scales } = this.copy;
    byId("columns").hidden = !isWide;
    this.#along = [];
    const cards = (isWide ? state.columns : []).map(({ label }, j) => {
      const plot = make("canvas", { id: "along-" + j, tabindex: 0 });
      this.#along.push(
        new Curve(plot, {
          add: (x) => this.on.hold(j, x),
          hover: () => {},
          say: (here) => {
            const place = scales[j].text(here.x);
            say(`${place}: ${this.copy.words(here)}; Enter holds ${label} there`);
          },
        }),
      );
      const title = make("h3", { id: "along-title-" + j });
      return make("figure", { class: "card" }, title, make("div", { class: "plot low" }, plot));
    });
    byId("column-slices").replaceChildren(...cards);
  }

  /** Shows what the copy has now. */
  show() {
    const { line, map } = this.copy;
    if (this.copy.isPlane && map) this.#plane();
    else if (line) this.#line(line);
    const { head, rows } = this.copy.table();
    byId("numbers").replaceChildren(make("table", {}, ...tableParts(head, rows)));
  }

  /** What every curve needs to know of the model. */
  #words() {
    const { shown: target, transform, noise } = this.copy.state;
    return { target, transform, noise };
  }

  /** @param {Line} line */
  #line(line) {
    const { state, across, data } = this.copy;
    this.curve.show(
      { ...line, data: data ?? undefined },
      { scale: across, added: state.added, ...this.#words() },
    );
    this.curve.describe(
      `Posterior of ${state.shown} along ${across.label}, ${whole(state.observations)} observations`,
    );
    this.#legend();
  }

  #plane() {
    const { map, across, up, back, state, cursor } = this.copy;
    if (!map || !cursor) return;
    const words = { across, up, marks: this.copy.marks() };
    this.mean.show({ ...map, values: map.mean.map(back) }, words);
    this.doubt.show({ ...map, values: this.copy.doubts() }, words);
    const over = `of ${state.shown} over ${across.label} and ${up.label}`;
    const middle = this.copy.middle === "mean" ? "Mean" : "Median";
    byId("mean-title").textContent = middle;
    this.mean.describe(`${middle} ${over}`);
    this.doubt.describe(`Standard deviation ${over}`);
    this.#point(cursor.x, cursor.y);
    if (map.slices) this.#showColumns(map.slices);
  }

  /**
   * One slice for each column through what all are held at, on one scale.
   *
   * @param {Line[]} lines
   */
  #showColumns(lines) {
    const range = reach(lines, this.copy.back);
    lines.forEach((line, j) => {
      const scale = this.copy.scales[j];
      const title = `Along ${scale.label}, held at ${scale.text(this.copy.held[j])}`;
      byId("along-title-" + j).textContent = title;
      this.#along[j].fixed = range;
      this.#along[j].show(line, { ...this.#words(), scale });
      this.#along[j].describe(title);
    });
  }

  /**
   * Puts the cursor on the maps. The slices go through it.
   *
   * @param {number} x
   * @param {number} y
   */
  #point(x, y) {
    const { map, across, up, back } = this.copy;
    if (!map) return;
    const cursor = { x, y };
    this.copy.cursor = cursor;
    this.mean.point(cursor);
    this.doubt.point(cursor);
    const here = this.copy.at(x, y);
    const range = reach([map], back); // the same wherever the cursor is
    const titles = [
      `Along ${across.label}, at ${up.label} = ${up.text(y)}`,
      `Along ${up.label}, at ${across.label} = ${across.text(x)}`,
    ];
    slices(map, x, y).forEach((line, k) => {
      const slice = this.slices[k];
      slice.fixed = range;
      slice.cursor = { x: k === 0 ? x : y, y: here.median };
      slice.show(line, { scale: k === 0 ? across : up, ...this.#words() }, true);
      slice.describe(titles[k]);
      byId(k === 0 ? "slice-across-title" : "slice-up-title").textContent = titles[k];
    });
    this.#cursor(here, [
      [across.label, across.text(x)],
      [up.label, up.text(y)],
    ]);
  }

  /**
   * @param {Here | null} here
   * @param {number} y
   */
  #hover(here, y) {
    if (!here) return this.#cursor(null);
    const { across } = this.copy;
    this.#cursor(here, [
      [across.label, across.text(here.x)],
      ["would add", number(this.copy.possible(y))],
    ]);
  }

  /**
   * @param {Prediction | null} here
   * @param {Facts} places
   */
  #cursor(here, places = []) {
    byId("cursor-hint").hidden = here !== null;
    facts(byId("cursor"), here ? this.copy.predictionFacts(here, places) : []);
  }

  #legend() {
    /** @param {string} kind @param {string} style @param {string} text */
    const item = (kind, style, text) =>
      make("span", {}, make("i", { class: kind, style: `background:${style}` }), text);
    /** @param {number} share */
    const band = (share) => `color-mix(in srgb, var(--mean) ${share}%, transparent)`;
    const data = this.copy.dataWords();
    byId("curve-legend").replaceChildren(
      item("rule", "var(--mean)", this.copy.middle),
      item("", band(40), "50 %"),
      item("", band(18), "95 %"),
      item("rule", "var(--draw)", "draws"),
      ...(data ? [item("dot", "var(--data)", data)] : []),
      ...(this.copy.state.added.length ? [item("dot", "var(--added)", "added by you")] : []),
    );
  }
}
