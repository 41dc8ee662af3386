// A function of two columns as colours, with the colours' bar, places marked, and a cursor.

/** @import { Frame } from "./answers.js" */
/** @import { Kind, Pen } from "./figure.js" */
/** @import { Scale } from "./scale.js" */

import { listen } from "./cursor.js";
import { Figure, colour, palette } from "./figure.js";
import { number, ticks } from "./format.js";

/**
 * @typedef {object} Mark
 * @property {number} x
 * @property {number} y
 * @property {"row" | "faint" | "added" | "best" | "next"} style
 * @property {number} [size]
 */

/**
 * @typedef {object} HeatListener
 * @property {(x: number, y: number) => void} add
 * @property {(x: number, y: number) => void} hover
 * @property {(x: number, y: number) => void} say
 */

export class Heat extends Figure {
  /** @type {(Frame & { values: number[] }) | null} */
  map = null;
  /** @type {{ across: Scale, up: Scale, marks: Mark[] } | null} */
  words = null;
  /** @type {{ x: number, y: number } | null} */
  cursor = null;
  /** What stands in place of a map. */
  missing = "No model yet";
  /** The share of the lowest values that all have the lowest colour. */
  clip = 0;
  /** @type {OffscreenCanvas | null} */
  #image = null;
  #theme = "";
  #low = 0;
  #high = 1;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Kind} kind
   * @param {HeatListener} [on]
   */
  constructor(canvas, kind, on) {
    super(canvas, { right: 66, top: 8, left: 56 });
    this.kind = kind;
    if (!on) return;
    canvas.setAttribute("aria-roledescription", "map");
    listen(this, {
      share: 0.02,
      cursor: () => this.cursor,
      start: () => this.map && this.#centre(this.map),
      point: ({ x, y }) => on.hover(x, y),
      step: ({ x, y }) => {
        on.hover(x, y);
        on.say(x, y);
      },
      choose: ({ x, y }) => on.add(x, y),
    });
  }

  /** @param {Frame} map */
  #centre({ from, to, low, high }) {
    return { x: (from + to) / 2, y: (low + high) / 2 };
  }

  /**
   * @param {(Frame & { values: number[] }) | null} map Values row by row from below.
   * @param {{ across: Scale, up: Scale, marks: Mark[] }} words
   */
  show(map, words) {
    this.map = map;
    this.words = words;
    this.#image = null;
    this.paint();
  }

  /** @param {{ x: number, y: number }} cursor */
  point(cursor) {
    this.cursor = cursor;
    this.paint();
  }

  /** @param {Frame & { values: number[] }} map */
  #picture({ nx, ny, values }) {
    let low = Infinity;
    let high = -Infinity;
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    if (this.clip) low = [...values].sort((a, b) => a - b)[Math.floor(this.clip * values.length)];
    if (!(high > low)) high = low + 1;
    if (this.kind === "doubt") low = Math.min(low, Math.max(0, low - 0.1 * (high - low)));
    this.#low = low;
    this.#high = high;
    const pick = palette(this.kind);
    const image = new ImageData(nx, ny);
    values.forEach((v, i) => {
      const at = 4 * ((ny - 1 - Math.floor(i / nx)) * nx + (i % nx));
      image.data.set([...pick((v - low) / (high - low)), 255], at);
    });
    const canvas = new OffscreenCanvas(nx, ny);
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas;
  }

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const { map, words } = this;
    if (!map || !words) return this.empty(this.missing);
    const theme = document.documentElement.dataset.theme ?? "";
    if (this.#theme !== theme) this.#image = null;
    this.#theme = theme;
    const image = (this.#image ??= this.#picture(map));
    const b = this.box;
    const [width, height] = [b.right - b.left, b.bottom - b.top];
    this.window(map.from, map.to, map.low, map.high);
    // values stand at the middles of pixels: the picture reaches half a pixel beyond
    const dx = width / (map.nx - 1);
    const dy = height / (map.ny - 1);
    this.clipped(() => {
      c.imageSmoothingEnabled = true;
      c.imageSmoothingQuality = "high";
      c.drawImage(image, b.left - dx / 2, b.top - dy / 2, width + dx, height + dy);
      for (const mark of words.marks) this.#mark(c, mark);
      if (this.cursor) this.#cross(c, this.x(this.cursor.x), this.y(this.cursor.y));
    });
    this.axes(
      words.across.ticks(map.from, map.to, width / 90),
      words.up.ticks(map.low, map.high, height / 50),
      words.across.label,
      words.up.label,
      false,
    );
    this.#scale(c);
  }

  /** @param {Pen} c @param {Mark} mark */
  #mark(c, { x, y, style, size = 1 }) {
    const px = this.x(x);
    const py = this.y(y);
    if (style === "next") {
      this.#target(c, px, py);
    } else if (style === "best") {
      this.dot(px, py, 6, "#d55e00", "#ffffff");
    } else if (style === "added") {
      this.dot(px, py, 5, colour("added"), "#ffffff");
    } else {
      c.globalAlpha = style === "faint" ? 0.4 : 0.9;
      this.dot(px, py, 2.6 * size, "#ffffff", style === "faint" ? undefined : "#222222");
      c.globalAlpha = 1;
    }
  }

  /** @param {Pen} c @param {number} px @param {number} py */
  #target(c, px, py) {
    twice(c, 5, 2.5, "#000000aa", () => {
      c.arc(px, py, 8, 0, 2 * Math.PI);
      for (const [x, y] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        c.moveTo(px + 13 * x, py + 13 * y);
        c.lineTo(px + 4 * x, py + 4 * y);
      }
    });
  }

  /** @param {Pen} c @param {number} px @param {number} py */
  #cross(c, px, py) {
    const b = this.box;
    twice(c, 3, 1, "#00000066", () => {
      c.moveTo(px, b.top);
      c.lineTo(px, b.bottom);
      c.moveTo(b.left, py);
      c.lineTo(b.right, py);
    });
  }

  /**
   * The bar of colours.
   *
   * @param {Pen} c
   */
  #scale(c) {
    const b = this.box;
    const [low, high] = [this.#low, this.#high];
    const pick = palette(this.kind);
    const left = b.right + 14;
    const height = b.bottom - b.top;
    for (let i = 0; i < height; i++) {
      c.fillStyle = `rgb(${pick(1 - i / height)
        .map(Math.round)
        .join(" ")})`;
      c.fillRect(left, b.top + i, 10, 1.5);
    }
    c.fillStyle = colour("muted");
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (const v of ticks(low, high, height / 60))
      c.fillText(number(v, 3), left + 14, b.bottom - ((v - low) / (high - low)) * height);
  }
}

/**
 * Strokes a path in white over a wider dark one, so that it is seen on any colour.
 *
 * @param {Pen} c
 * @param {number} wide
 * @param {number} narrow
 * @param {string} dark
 * @param {() => void} path
 */
function twice(c, wide, narrow, dark, path) {
  for (const [width, ink] of /** @type {[number, string][]} */ ([
    [wide, dark],
    [narrow, "#ffffff"],
  ])) {
    c.lineWidth = width;
    c.strokeStyle = ink;
    c.beginPath();
    path();
    c.stroke();
  }
}
