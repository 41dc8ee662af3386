// A function of two columns as colours, with the colours' bar, places marked, and a cursor.

import { Figure, colour, palette, place } from "./figure.js";
import { number, ticks } from "./format.js";

export class Heat extends Figure {
  /** `kind` is value or doubt; `on` may have add(x, y), hover(x, y or null), say(x, y). */
  constructor(canvas, kind, on = {}) {
    super(canvas, { right: 66, top: 8, left: 56 });
    this.kind = kind;
    this.on = on;
    this.marks = [];
    if (on.add || on.hover) this.#listen();
  }

  /** `map`: nx, ny, from, to, low, high and values row by row from below; marks: x, y, style. */
  show(map, { across, up, marks = [], bar = "" }) {
    this.map = map;
    this.across = across;
    this.up = up;
    this.marks = marks;
    this.bar = bar;
    this.image = null;
    this.paint();
  }

  #picture() {
    const { nx, ny, values } = this.map;
    let low = Infinity;
    let high = -Infinity;
    for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    if (this.clip) low = [...values].sort((a, b) => a - b)[Math.floor(this.clip * values.length)];
    if (!(high > low)) high = low + 1;
    if (this.kind === "doubt") low = Math.min(low, Math.max(0, low - 0.1 * (high - low)));
    this.span = [low, high];
    const pick = palette(this.kind);
    const image = new ImageData(nx, ny);
    values.forEach((v, i) => {
      const [r, g, b] = pick((v - low) / (high - low));
      const at = 4 * ((ny - 1 - Math.floor(i / nx)) * nx + (i % nx));
      image.data.set([r, g, b, 255], at);
    });
    const canvas = new OffscreenCanvas(nx, ny);
    canvas.getContext("2d").putImageData(image, 0, 0);
    this.image = canvas;
    this.painted = document.documentElement.dataset.theme;
  }

  draw(c) {
    const map = this.map;
    if (!map) return this.empty(this.words ?? "No model yet");
    if (!this.image || this.painted !== document.documentElement.dataset.theme) this.#picture();
    const b = this.box;
    this.window(map.from, map.to, map.low, map.high);
    // values stand at the middles of pixels: the picture reaches half a pixel beyond
    const dx = (b.right - b.left) / (map.nx - 1);
    const dy = (b.bottom - b.top) / (map.ny - 1);
    this.clipped(() => {
      c.imageSmoothingEnabled = true;
      c.imageSmoothingQuality = "high";
      c.drawImage(this.image, b.left - dx / 2, b.top - dy / 2, b.right - b.left + dx, b.bottom - b.top + dy);
      for (const mark of this.marks) this.#mark(c, mark);
      if (this.cursor) this.#cross(c);
    });
    this.axes(
      this.across.ticks(map.from, map.to, (b.right - b.left) / 90),
      this.up.ticks(map.low, map.high, (b.bottom - b.top) / 50),
      this.across.label, this.up.label, false);
    this.#scale(c);
  }

  #mark(c, { x, y, style, size = 1 }) {
    const px = this.x(x);
    const py = this.y(y);
    if (style === "next") {
      c.lineWidth = 5;
      for (const [width, ink] of [[5, "#000000aa"], [2.5, "#ffffff"]]) {
        c.lineWidth = width;
        c.strokeStyle = ink;
        c.beginPath();
        c.arc(px, py, 8, 0, 2 * Math.PI);
        c.moveTo(px - 13, py); c.lineTo(px - 4, py); c.moveTo(px + 4, py); c.lineTo(px + 13, py);
        c.moveTo(px, py - 13); c.lineTo(px, py - 4); c.moveTo(px, py + 4); c.lineTo(px, py + 13);
        c.stroke();
      }
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

  #cross(c) {
    const b = this.box;
    const px = this.x(this.cursor.x);
    const py = this.y(this.cursor.y);
    for (const [width, ink] of [[3, "#00000066"], [1, "#ffffff"]]) {
      c.lineWidth = width;
      c.strokeStyle = ink;
      c.beginPath();
      c.moveTo(px, b.top); c.lineTo(px, b.bottom); c.moveTo(b.left, py); c.lineTo(b.right, py);
      c.stroke();
    }
  }

  #scale(c) {
    const b = this.box;
    const [low, high] = this.span;
    const pick = palette(this.kind);
    const left = b.right + 14;
    const height = b.bottom - b.top;
    for (let i = 0; i < height; i++) {
      c.fillStyle = `rgb(${pick(1 - i / height).map(Math.round).join(" ")})`;
      c.fillRect(left, b.top + i, 10, 1.5);
    }
    c.fillStyle = colour("muted");
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (const v of ticks(low, high, height / 60)) c.fillText(number(v, 3), left + 14, b.bottom - ((v - low) / (high - low)) * height);
  }

  /** A value of the map between its places. */
  at(values, x, y) {
    const { nx, ny, from, to, low, high } = this.map;
    const u = Math.min(Math.max(((x - from) / (to - from)) * (nx - 1), 0), nx - 1.000001);
    const v = Math.min(Math.max(((y - low) / (high - low)) * (ny - 1), 0), ny - 1.000001);
    const i = Math.floor(u);
    const j = Math.floor(v);
    const get = (di, dj) => values[(j + dj) * nx + i + di];
    const [a, b] = [u - i, v - j];
    return (1 - a) * (1 - b) * get(0, 0) + a * (1 - b) * get(1, 0) + (1 - a) * b * get(0, 1) + a * b * get(1, 1);
  }

  point(cursor) {
    this.cursor = cursor;
    this.paint();
  }

  #listen() {
    const canvas = this.canvas;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-roledescription", "map");
    canvas.addEventListener("pointermove", (event) => {
      const [px, py] = place(event);
      if (this.map && this.inside(px, py)) this.on.hover(this.atX(px), this.atY(py));
    });
    canvas.addEventListener("click", (event) => {
      const [px, py] = place(event);
      if (this.map && this.inside(px, py)) this.on.add?.(this.atX(px), this.atY(py));
    });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (!this.map || event.altKey || event.ctrlKey || event.metaKey) return;
    const { from, to, low, high } = this.map;
    const { x, y } = this.cursor ?? { x: (from + to) / 2, y: (low + high) / 2 };
    const pace = event.shiftKey ? 0.1 : 0.02;
    const move = { ArrowLeft: [-pace, 0], ArrowRight: [pace, 0], ArrowUp: [0, pace], ArrowDown: [0, -pace] }[event.key];
    if (move) {
      const nx = Math.min(Math.max(x + move[0] * (to - from), from), to);
      const ny = Math.min(Math.max(y + move[1] * (high - low), low), high);
      this.on.hover(nx, ny);
      this.on.say?.(nx, ny);
    } else if (event.key === "Enter" || event.key === " ") {
      this.on.add?.(x, y);
    } else return;
    event.preventDefault();
  }
}
