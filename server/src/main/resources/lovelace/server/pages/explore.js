// One model, live: what the user does to this page's copy of it.

/** @import { Changed } from "./answers.js" */
/** @import { Scale } from "./scale.js" */

import { Channel } from "./api.js";
import { milliseconds, number } from "./format.js";
import { button, byId, complain, facts, form, input, make, say, select, told } from "./page.js";
import { Picture } from "./picture.js";
import * as requests from "./requests.js";
import { Sliders } from "./sliders.js";
import { Copy, seedOf } from "./state.js";

const TRIES = 4; // requests for draws, one after the other, before the page gives up
const PAUSE = 500; // milliseconds before the second; longer before each that follows

export class Explore {
  /** @type {Copy | null} */
  #copy = null;
  #channel = new Channel();
  #failed = 0;

  constructor() {
    this.picture = new Picture({
      add: (x, y) => told(() => this.#addAt(x, y)),
      hold: (column, value) => told(() => this.#hold(column, value)),
      more: () => this.#moreDraws(),
    });
    this.sliders = new Sliders(byId("sliders"), (path, i, value) => {
      told(() =>
        this.#channel.send(() =>
          this.#change("parameters", { values: this.copy.changed(path, i, value) }),
        ),
      );
    });
    this.#controls();
  }

  /** The copy that is open. */
  get copy() {
    if (!this.#copy)
      throw new Error("No model is open. Choose one, or fit a table under Your data.");
    return this.#copy;
  }

  #controls() {
    const { curve } = this.picture;
    button("play").onclick = () => {
      curve.playing = !curve.playing;
      this.#showPlaying();
      curve.go();
    };
    this.#showPlaying();
    for (const id of ["draws", "seed"]) input(id).onchange = () => told(() => this.#change("view"));
    select("bands").onchange = () => this.#bands();
    form("add").onsubmit = (event) => {
      event.preventDefault();
      told(() => this.#addTyped());
    };
    button("undo").onclick = () =>
      told(() => this.#change("undo", {}, "Removed the last observation."));
    button("reset").onclick = () =>
      told(() => this.#change("reset", {}, "The model is as it was when you opened it."));
    button("learn").onclick = () => told(() => this.#learn());
    button("download").onclick = () => told(() => this.#download());
  }

  #showPlaying() {
    button("play").textContent = this.picture.curve.playing ? "Pause draws" : "Play draws";
  }

  #bands() {
    this.picture.curve.noisy = select("bands").value === "observation";
    this.picture.curve.paint();
  }

  // ---- opening ----

  /**
   * Opens a copy of a model that is served.
   *
   * @param {string} name
   */
  async open(name) {
    await this.adopt(await requests.open(name));
  }

  /**
   * Shows a copy that the server has made.
   *
   * @param {Changed} answer
   */
  async adopt({ state }) {
    if (this.#copy) requests.close(this.#copy.id);
    const copy = new Copy(state);
    this.#copy = copy;
    const [, ofObservation] = select("bands").options;
    ofObservation.disabled = copy.hasClasses;
    if (copy.hasClasses) select("bands").value = "function";
    this.#bands();
    byId("learning").textContent = "";
    this.#fields(copy);
    this.#axes(copy);
    this.picture.begin(copy);
    this.#showFacts(copy);
    await this.#change("view", { data: true });
  }

  /** The fields of an observation that is typed. @param {Copy} copy */
  #fields(copy) {
    byId("add-hint").textContent = copy.isPlane
      ? "Or click on a map. If the value is empty, the click adds the prediction there. Only this page’s copy of the model learns from it."
      : "Or click on the picture. Only this page’s copy of the model learns from it.";
    const labels = [...copy.state.columns, copy.state.target].map(({ label }) => label);
    byId("add-fields").replaceChildren(
      ...labels.map((label, i) =>
        make("label", {}, label, field(copy.scales[i], { id: "add-" + i, autocomplete: "off" })),
      ),
    );
  }

  /** Which columns are drawn, and what the others are held at. @param {Copy} copy */
  #axes(copy) {
    byId("axes").replaceChildren();
    if (!copy.isWide) return;
    const { columns } = copy.state;
    /** @param {string} label @param {"x" | "y"} axis */
    const choose = (label, axis) => {
      const options = columns.map(({ name }, j) => make("option", { value: j }, name));
      const box = make("select", { id: "axis-" + axis }, ...options);
      box.value = String(copy[axis]);
      box.onchange = () => {
        copy.choose(axis, Number(box.value));
        this.#axes(copy);
        select("axis-" + axis).focus(); // the box is new
        told(() => this.#change("view", { data: true }));
      };
      return make("label", {}, label, box);
    };
    const held = columns.flatMap(({ label }, j) => {
      if (j === copy.x || j === copy.y) return [];
      const box = field(copy.scales[j], {});
      box.value = copy.scales[j].text(copy.held[j]);
      box.onchange = () =>
        told(() => {
          const value = copy.scales[j].value(box.value);
          if (!Number.isFinite(value)) throw new Error(copy.complaint(j, box.value));
          copy.hold(j, value);
          return this.#change("view");
        });
      return [make("label", {}, label + " held at", box)];
    });
    byId("axes").append(choose("Across", "x"), choose("Up", "y"), ...held);
  }

  // ---- asking ----

  #view(data = false) {
    return this.copy.view({ draws: input("draws").value, seed: input("seed").value, data });
  }

  /**
   * Asks for a change and shows what comes back, unless another model was opened meanwhile.
   *
   * @param {"view" | "observe" | "undo" | "reset" | "parameters"} what
   * @param {{ data?: boolean, row?: number[], values?: Record<string, number[]> }} more
   * @param {string} words What to say when it is done.
   */
  async #change(what, { data = false, ...body } = {}, words = "") {
    const copy = this.copy;
    const answer = await requests.change(copy.id, what, { ...body, view: this.#view(data) });
    if (copy !== this.#copy) return;
    this.#accept(copy, answer);
    if (words) say(words);
  }

  /** @param {Copy} copy @param {Changed} answer */
  #accept(copy, answer) {
    copy.accept(answer);
    this.#showFacts(copy);
    this.picture.show();
  }

  /** @param {Copy} copy */
  #showFacts(copy) {
    this.sliders.show(copy.state);
    byId("facts").textContent = copy.headline();
    facts(byId("about"), copy.about());
    button("undo").disabled = copy.state.added.length === 0;
  }

  async #moreDraws() {
    const copy = this.copy;
    const { curve } = this.picture;
    const seed = seedOf(input("seed").value) + 1;
    try {
      const { view } = await requests.moreDraws(copy.id, { ...this.#view(), seed });
      if (copy !== this.#copy || !curve.playing) return;
      input("seed").value = String(seed);
      curve.next(view.draws ?? []);
      this.#failed = 0;
    } catch (failure) {
      // A server that is busy for a moment refuses; the draws go on after it.
      if (++this.#failed < TRIES) {
        const pause = PAUSE * this.#failed;
        await new Promise((resume) => {
          setTimeout(resume, pause);
        });
        return;
      }
      this.#failed = 0;
      curve.playing = false;
      this.#showPlaying();
      complain(failure instanceof Error ? failure.message : String(failure));
    }
  }

  /** @param {number} column @param {number} value */
  async #hold(column, value) {
    const copy = this.copy;
    copy.hold(column, value);
    this.#axes(copy);
    const { label } = copy.scales[column];
    await this.#change("view", {}, `${label} is held at ${copy.scales[column].text(value)}.`);
  }

  /** @param {number} i */
  #typed(i) {
    const box = byId("add-" + i);
    return box instanceof HTMLSelectElement ? box.value : input("add-" + i).value;
  }

  /** @param {number} x @param {number} y */
  async #addAt(x, y) {
    const target = this.copy.scales.length;
    const typed = this.copy.isPlane ? this.copy.typed(target, this.#typed(target)) : NaN;
    await this.#observe(this.copy.rowAt(x, y, typed));
  }

  async #addTyped() {
    const texts = [...this.copy.state.columns, this.copy.state.target].map((_, i) =>
      this.#typed(i),
    );
    const row = texts.map((text, i) => this.copy.typed(i, text));
    const wrong = row.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      byId("add-" + wrong).focus();
      throw new Error(this.copy.complaint(wrong, texts[wrong]));
    }
    await this.#observe(row);
  }

  /** @param {number[]} row */
  async #observe(row) {
    const start = performance.now();
    const place = this.copy.scales.map((scale, j) => scale.text(row[j])).join(", ");
    await this.#change("observe", { row });
    const target = number(row[row.length - 1]);
    say(`Added ${target} at ${place} in ${milliseconds(performance.now() - start)}.`);
  }

  async #learn() {
    const copy = this.copy;
    const stop = new AbortController();
    const cancel = button("learn-cancel");
    cancel.hidden = false;
    cancel.onclick = () => stop.abort();
    button("learn").disabled = true;
    const tell = (/** @type {string} */ text) => {
      byId("learning").textContent = text;
    };
    try {
      const learned = await requests.learn(
        copy.id,
        this.#view(),
        ({ iteration, likelihood }) =>
          tell(`Step ${iteration}, log likelihood ${number(likelihood)}`),
        stop.signal,
      );
      tell(learned ? `Learned in ${milliseconds(learned.milliseconds)}.` : "Cancelled.");
      if (learned && copy === this.#copy) this.#accept(copy, learned);
    } finally {
      cancel.hidden = true;
      button("learn").disabled = false;
    }
  }

  async #download() {
    const { blob, name } = await requests.modelFile(this.copy.id);
    const link = make("a", { href: URL.createObjectURL(blob), download: name ?? "model.lvl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`Downloaded ${link.download}.`);
  }
}

/**
 * A box to type into, or to choose one of the words of a column.
 *
 * @param {Scale | undefined} scale
 * @param {Record<string, string>} attributes
 */
function field(scale, attributes) {
  return scale?.words
    ? make(
        "select",
        attributes,
        ...scale.words.map((word) => make("option", { value: word }, word)),
      )
    : make("input", attributes);
}
