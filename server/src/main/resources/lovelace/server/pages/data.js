// The user's own table: chosen, dropped or pasted, then fitted while the page watches.

/** @import { Fitted, Forecasts, Table } from "./answers.js" */

import { surface, wave } from "./examples.js";
import { milliseconds, number, whole } from "./format.js";
import { button, byId, form, input, make, say, select, tableParts, told } from "./page.js";
import * as requests from "./requests.js";

/** @type {Record<string, () => string | Promise<string>>} */
const EXAMPLES = {
  airline: requests.airline,
  surface: () => surface(400),
  many: () => wave(100000),
};

export class Data {
  /** @type {Table | null} */
  #table = null;
  #name = "";

  /**
   * @param {(answer: Fitted, name: string) => Promise<void>} opened Gets the new copy.
   * @param {(forecasts: Forecasts) => Promise<void>} forecast Gets new forecasts.
   */
  constructor(opened, forecast) {
    this.opened = opened;
    this.forecast = forecast;
    button("forecast-submit").onclick = () => told(() => this.#forecast());
    const file = input("file");
    file.onchange = () => told(() => this.#file(file.files?.[0]));
    button("use-paste").onclick = () => {
      const { value } = /** @type {HTMLTextAreaElement} */ (byId("paste"));
      told(() => this.#upload(value, "pasted"));
    };
    const drop = byId("drop");
    drop.ondragover = (event) => {
      event.preventDefault();
      drop.classList.add("over");
    };
    drop.ondragleave = () => drop.classList.remove("over");
    drop.ondrop = (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      told(() => this.#file(event.dataTransfer?.files[0]));
    };
    for (const name of Object.keys(EXAMPLES))
      button("example-" + name).onclick = () => told(() => this.#example(name));
    select("kernel").onchange = () => this.#kernel();
    select("target").onchange = () => this.#inputs();
    select("likelihood").onchange = () => this.#size();
    select("size").onchange = () => this.#inputs();
    form("fit").onsubmit = (event) => {
      event.preventDefault();
      told(() => this.#fit());
    };
  }

  get table() {
    if (!this.#table) throw new Error("There is no table yet. Choose one first.");
    return this.#table;
  }

  /** @param {File | undefined} file */
  async #file(file) {
    if (!file) return;
    await this.#upload(await file.text(), file.name.replace(/\.[^.]*$/, ""));
    input("file").value = "";
  }

  /** @param {string} name */
  async #example(name) {
    await this.#upload(await EXAMPLES[name](), name);
    const airline = name === "airline";
    select("likelihood").value = "gaussian";
    select("kernel").value = airline ? "rbf + rbf*periodic" : "rbf";
    input("log").checked = airline;
    this.#size();
    this.#kernel();
  }

  #kernel() {
    byId("kernel-own").hidden = select("kernel").value !== "";
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  async #upload(text, name) {
    if (text.trim() === "") throw new Error("There is no table yet. Paste one or choose a file.");
    const table = await requests.upload(text);
    this.#table = table;
    this.#name = name;
    byId("no-table").hidden = true;
    byId("fit").hidden = false;
    const found = `${name}: ${whole(table.rows)} rows, ${table.columns.length} columns`;
    byId("table-facts").textContent = found;
    const names = table.columns.map((column) => column.name);
    byId("preview").replaceChildren(...tableParts(names, table.preview));
    this.#series(table);
    const usable = table.columns.filter((column) => column.kind !== "text");
    if (usable.length < 2)
      throw new Error(
        `A model needs two columns of numbers or times. This table has ${usable.length}.`,
      );
    const options = () => usable.map((column) => make("option", {}, column.name));
    select("target").replaceChildren(...options());
    const numbers = usable.filter((column) => column.kind === "number");
    const [target] = (numbers.length ? numbers : usable).slice(-1);
    select("target").value = target.name;
    select("size").replaceChildren(make("option", { value: "" }, "none"), ...options());
    this.#size();
    say(found);
  }

  /**
   * Offers forecasts of a table with times: the first column of words tells series apart.
   *
   * @param {Table} table
   */
  #series({ columns }) {
    const times = columns.filter((column) => column.kind === "time");
    byId("forecast").hidden = times.length === 0;
    /** @param {string[]} names */
    const options = (names) => names.map((name) => make("option", { value: name }, name));
    select("forecast-time").replaceChildren(...options(times.map((column) => column.name)));
    const ids = columns.filter((column) => column.kind !== "time").map((column) => column.name);
    select("forecast-id").replaceChildren(
      make("option", { value: "" }, "one series"),
      ...options(ids),
    );
    const word = columns.find((column) => column.kind === "text");
    select("forecast-id").value = word?.name ?? "";
  }

  async #forecast() {
    const stop = new AbortController();
    const cancel = button("fit-cancel");
    const submit = button("forecast-submit");
    cancel.hidden = false;
    cancel.onclick = () => stop.abort();
    submit.disabled = true;
    byId("progress").hidden = false;
    this.#tell("Learning from the series …", []);
    try {
      const learned = await requests.forecast(
        {
          table: this.table.id,
          id: select("forecast-id").value,
          time: select("forecast-time").value,
          target: select("target").value,
          horizon: Number(input("forecast-horizon").value),
          name: this.#name,
        },
        stop.signal,
      );
      if (!learned) return say("Cancelled.");
      say(`Learned in ${milliseconds(learned.milliseconds)}.`);
      await this.forecast(learned.forecasts);
    } finally {
      cancel.hidden = true;
      submit.disabled = false;
      byId("progress").hidden = true;
    }
  }

  /** Counts may have an exposure, successes must have trials. */
  #size() {
    const size = select("likelihood").selectedOptions[0].dataset.size;
    byId("size-own").hidden = !size;
    byId("size-label").textContent = size ?? "";
    if (!size) select("size").value = "";
    this.#inputs();
  }

  /** Offers all other columns as inputs, the first two chosen. */
  #inputs() {
    const taken = [select("target").value, select("size").value];
    const free = this.table.columns.filter(
      ({ name, kind }) => kind !== "text" && !taken.includes(name),
    );
    byId("inputs").replaceChildren(
      ...free.map(({ name, missing }, i) => {
        const box = make("input", { type: "checkbox", value: name });
        box.checked = i < 2;
        return make("label", {}, box, name + (missing ? ` (${whole(missing)} missing)` : ""));
      }),
    );
  }

  #settings() {
    const boxes = [...byId("inputs").querySelectorAll("input")];
    const inputs = boxes.filter((box) => box.checked).map((box) => box.value);
    if (inputs.length === 0) throw new Error("Choose at least one input.");
    return {
      table: this.table.id,
      target: select("target").value,
      inputs,
      kernel: select("kernel").value || input("kernel-text").value,
      log: input("log").checked,
      likelihood: select("likelihood").value,
      size: select("size").value,
      name: this.#name,
    };
  }

  async #fit() {
    const settings = this.#settings();
    const stop = new AbortController();
    const cancel = button("fit-cancel");
    const submit = button("fit-submit");
    /** @type {number[]} */
    const trace = [];
    cancel.hidden = false;
    cancel.onclick = () => stop.abort();
    submit.disabled = true;
    byId("progress").hidden = false;
    this.#tell("Reading the rows …", trace);
    try {
      const fitted = await requests.fit(
        settings,
        ({ likelihood }) => {
          trace.push(likelihood);
          this.#tell(`Step ${trace.length}: log likelihood ${number(likelihood, 6)}`, trace);
        },
        stop.signal,
      );
      if (!fitted) return say("Cancelled.");
      const left = fitted["left out"] ?? 0;
      const note = left ? ` ${whole(left)} rows had missing values and were left out.` : "";
      say(`Fitted in ${milliseconds(fitted.milliseconds)}.${note}`);
      await this.opened(fitted, this.#name);
    } finally {
      cancel.hidden = true;
      submit.disabled = false;
      byId("progress").hidden = true;
    }
  }

  /**
   * @param {string} text
   * @param {number[]} trace
   */
  #tell(text, trace) {
    byId("progress-text").textContent = text;
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("points", polyline(trace));
    document.getElementById("progress-line")?.replaceChildren(line);
  }
}

/**
 * Values as points of a line that fills a box of 300 by 60.
 *
 * @param {number[]} values
 */
export function polyline(values) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const step = 300 / Math.max(1, values.length - 1);
  return values.map((v, i) => `${step * i},${56 - (52 * (v - low)) / span}`).join(" ");
}
