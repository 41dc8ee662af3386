// A map that is zoomed and moved: draws `map`, which the program has written above.

import { decode, number, paint, pixelAt, scaleLength, ticks, unpack } from "./map-data.js";

const f = {
  width: map.frame.width,
  height: map.frame.height,
  west: Number(map.frame.west),
  north: Number(map.frame.north),
  dx: Number(map.frame.dx),
  dy: Number(map.frame.dy),
};

/** One thing that is mapped, with what was unpacked and drawn of it at each time. */
class Quantity {
  /** @type {Uint16Array[]} */
  #codes = [];
  /** @type {Map<number, HTMLCanvasElement>} */
  #images = new Map();

  /** @param {(typeof map.quantities)[number]} given */
  constructor({ name, low, high, colors, data }) {
    this.name = name;
    this.low = Number(low);
    this.high = Number(high);
    this.colors = colors;
    this.data = data;
  }

  /** @param {number} t */
  codes(t) {
    return (this.#codes[t] ??= unpack(this.data[t]));
  }

  /** @param {number} t */
  image(t) {
    const known = this.#images.get(t);
    if (known) return known;
    const own = document.createElement("canvas");
    own.width = f.width;
    own.height = f.height;
    const pixels = paint(this.codes(t), this.colors, map.gap);
    own.getContext("2d")?.putImageData(new ImageData(pixels, f.width, f.height), 0, 0);
    if (this.#images.size > 24) this.#images.clear(); // a long series keeps a few
    this.#images.set(t, own);
    return own;
  }
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function typed(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} '${id}'.`);
  return element;
}

/** @param {string} id */
const byId = (id) => typed(id, HTMLElement);
/** @param {string} id */
const input = (id) => typed(id, HTMLInputElement);

const quantities = map.quantities.map((given) => new Quantity(given));
const middle = f.north - (f.height * f.dy) / 2;
// how much longer a unit of y is than one of x
const stretch = map.geographic ? 1 / Math.max(0.05, Math.cos((middle * Math.PI) / 180)) : 1;
const canvas = typed("map", HTMLCanvasElement);
const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
const LEFT = 76;
const FOOT = 48;
const RIGHT = 92;
const TOP = 10;
let quantity = 0;
let time = 0;
let playing = 0;
/** @type {{ x: number, y: number } | null} */
let pointer = null;
let keyed = false; // whether keys have put the pointer into the middle of the stage
let view = { x: 0, y: 0, scale: 1 }; // the map's x and y in the middle of the stage, points a unit of x

/** @typedef {ReturnType<typeof area>} Area */

const area = () => ({
  left: LEFT,
  top: TOP,
  width: Math.max(1, canvas.clientWidth - LEFT - RIGHT),
  height: Math.max(1, canvas.clientHeight - TOP - FOOT),
});
/** @param {number} x */
const toX = (x) => {
  const a = area();
  return a.left + a.width / 2 + (x - view.x) * view.scale;
};
/** @param {number} y */
const toY = (y) => {
  const a = area();
  return a.top + a.height / 2 - (y - view.y) * view.scale * stretch;
};
/** @param {number} px */
const fromX = (px) => {
  const a = area();
  return view.x + (px - a.left - a.width / 2) / view.scale;
};
/** @param {number} py */
const fromY = (py) => {
  const a = area();
  return view.y - (py - a.top - a.height / 2) / view.scale / stretch;
};
const fit = () => {
  const a = area();
  return Math.min(a.width / (f.width * f.dx), a.height / (f.height * f.dy * stretch));
};

function whole() {
  view = { x: f.west + (f.width * f.dx) / 2, y: middle, scale: fit() };
  draw();
}

// The map never leaves the stage, and a pixel is at most 60 points wide.
function keep() {
  const least = 0.5 * fit();
  const most = Math.max(60 / f.dx, fit());
  view.scale = Math.min(most, Math.max(least, view.scale));
  view.x = Math.min(f.west + f.width * f.dx, Math.max(f.west, view.x));
  view.y = Math.min(f.north, Math.max(f.north - f.height * f.dy, view.y));
}

/** @param {number} factor @param {number} px @param {number} py */
function zoom(factor, px, py) {
  const x = fromX(px);
  const y = fromY(py);
  view.scale *= factor;
  keep();
  view.x += x - fromX(px);
  view.y += y - fromY(py);
  keep();
  draw();
}

/** @param {number} dx @param {number} dy */
function move(dx, dy) {
  view.x -= dx / view.scale;
  view.y += dy / view.scale / stretch;
  keep();
  draw();
}

/**
 * The value at a place: null where there is none, undefined outside the map.
 *
 * @param {number} x
 * @param {number} y
 */
function valueAt(x, y, q = quantities[quantity], t = time) {
  const pixel = pixelAt(f, x, y);
  return pixel === undefined ? undefined : decode(q.codes(t)[pixel], q.low, q.high);
}

function draw() {
  const ratio = window.devicePixelRatio || 1;
  const a = area();
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.font = '13px Roboto, Inter, "Helvetica Neue", Arial, sans-serif';
  const q = quantities[quantity];
  pen.save();
  pen.beginPath();
  pen.rect(a.left, a.top, a.width, a.height);
  pen.clip();
  pen.fillStyle = "#f1f3f4";
  pen.fillRect(a.left, a.top, a.width, a.height);
  pen.imageSmoothingEnabled = view.scale * f.dx * ratio < 1; // a pixel is seen as one
  pen.imageSmoothingQuality = "high";
  pen.drawImage(
    q.image(time),
    toX(f.west),
    toY(f.north),
    f.width * f.dx * view.scale,
    f.height * f.dy * view.scale * stretch,
  );
  if (input("lines").checked) contours();
  if (keyed) cross(a);
  pen.restore();
  axes(a);
  legend(a, q);
  scaleBar(a);
  read();
}

/** @param {Area} a */
function cross(a) {
  const [x, y] = [a.left + a.width / 2, a.top + a.height / 2];
  pointer = { x, y };
  for (const [color, width] of /** @type {[string, number][]} */ ([
    ["#fff", 4],
    ["#222", 1.5],
  ])) {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x - 8, y);
    pen.lineTo(x + 8, y);
    pen.moveTo(x, y - 8);
    pen.lineTo(x, y + 8);
    pen.stroke();
  }
}

function contours() {
  pen.strokeStyle = "rgba(0,0,0,0.6)";
  pen.lineWidth = 1;
  for (const line of map.lines) {
    if (line.time !== time) continue;
    pen.beginPath();
    for (let i = 0; i < line.places.length; i += 2)
      pen[i === 0 ? "moveTo" : "lineTo"](toX(line.places[i]), toY(line.places[i + 1]));
    pen.stroke();
  }
}

/** @param {Area} a */
function axes(a) {
  pen.strokeStyle = "#9aa0a6";
  pen.lineWidth = 1;
  pen.strokeRect(a.left - 0.5, a.top - 0.5, a.width + 1, a.height + 1);
  pen.fillStyle = "#5f6368";
  pen.textBaseline = "top";
  pen.textAlign = "center";
  const foot = a.top + a.height;
  for (const t of ticks(fromX(a.left), fromX(a.left + a.width), a.width / 110)) {
    pen.fillRect(Math.round(toX(t.at)), foot, 1, 5);
    pen.fillText(t.text, toX(t.at), foot + 8);
  }
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const t of ticks(fromY(foot), fromY(a.top), a.height / 60)) {
    pen.fillRect(a.left - 5, Math.round(toY(t.at)), 5, 1);
    pen.fillText(t.text, a.left - 8, toY(t.at));
  }
  pen.fillStyle = "#222";
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(map.x, a.left + a.width / 2, foot + 40);
  pen.save();
  pen.translate(12, a.top + a.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(map.y, 0, 0);
  pen.restore();
}

/** @param {Area} a @param {Quantity} q */
function legend(a, q) {
  const left = a.left + a.width + 14;
  const colors = pen.createLinearGradient(0, a.top + a.height, 0, a.top);
  q.colors.forEach((c, i) => colors.addColorStop(i / (q.colors.length - 1), c));
  pen.fillStyle = colors;
  pen.fillRect(left, a.top, 14, a.height);
  pen.strokeStyle = "#9aa0a6";
  pen.strokeRect(left, a.top, 14, a.height);
  pen.fillStyle = "#5f6368";
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const t of ticks(q.low, q.high, a.height / 50)) {
    const y = a.top + a.height * (1 - (t.at - q.low) / (q.high - q.low));
    pen.fillRect(left + 14, Math.round(y), 4, 1);
    pen.fillText(t.text, left + 21, y);
  }
}

/** @param {Area} a */
function scaleBar(a) {
  const metres = map.geographic ? 111319.49 * Math.cos((view.y * Math.PI) / 180) : map.metres;
  if (!(metres > 0)) return;
  const { length, text } = scaleLength(((0.25 * a.width) / view.scale) * metres);
  const width = (length / metres) * view.scale;
  const x = a.left + 12;
  const y = a.top + a.height - 14;
  pen.fillStyle = "rgba(255,255,255,0.8)";
  pen.fillRect(x - 6, y - 24, Math.max(width, pen.measureText(text).width) + 12, 32);
  pen.fillStyle = "#222";
  pen.fillRect(x, y, width, 2);
  pen.fillRect(x, y - 5, 1.5, 6);
  pen.fillRect(x + width - 1.5, y - 5, 1.5, 6);
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(text, x + width / 2, y - 8);
}

function read() {
  const out = byId("read");
  if (!pointer) {
    const times = map.times.length > 1 ? ", comma and full stop change the time" : "";
    out.textContent = `Point at the map to read a value. Drag it or use the arrow keys to move, turn the wheel or press + and − to zoom, press 0 to see all${times}.`;
    return;
  }
  const x = fromX(pointer.x);
  const y = fromY(pointer.y);
  const digits = 2 + Math.ceil(Math.log10(Math.max(10, f.width, f.height)));
  const place = `${name(map.x)} ${number(x, digits + 2)}, ${name(map.y)} ${number(y, digits + 2)}`;
  const values = quantities.map((q) => {
    const v = valueAt(x, y, q);
    return v === undefined ? null : `${q.name} ${v === null ? "no value" : number(v)}`;
  });
  out.textContent =
    values[0] === null
      ? place
      : `${place}: ${values.slice(0, 6).join(", ")}${map.times.length > 1 ? " at " + map.times[time] : ""}`;
}

/** @param {string} label */
const name = (label) => label.replace(/ \(.*\)$/, "") || "place";

/** @param {number} step */
function show(step) {
  time = (step + map.times.length) % map.times.length;
  input("time").value = String(time);
  byId("date").textContent = map.times[time];
  draw();
}

/** @param {boolean} on */
function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => show(time + 1), 800) : 0;
  byId("play").textContent = on ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

byId("title").textContent = map.title;
byId("subtitle").textContent = map.subtitle;
const choice = typed("quantity", HTMLSelectElement);
quantities.forEach((q, i) => choice.add(new Option(q.name, String(i))));
choice.addEventListener("change", () => {
  quantity = Number(choice.value);
  draw();
});
byId("when").hidden = map.times.length < 2;
const slider = input("time");
slider.max = String(map.times.length - 1);
slider.addEventListener("input", () => {
  play(false);
  show(Number(slider.value));
});
byId("play").addEventListener("click", () => play(!playing));
byId("lined").hidden = map.lines.length === 0;
byId("lines").addEventListener("change", draw);
/** @returns {[number, number]} */
const centre = () => {
  const { left, top, width, height } = area();
  return [left + width / 2, top + height / 2];
};
byId("in").addEventListener("click", () => zoom(1.6, ...centre()));
byId("out").addEventListener("click", () => zoom(1 / 1.6, ...centre()));
byId("whole").addEventListener("click", whole);

/** @type {Map<number, { x: number, y: number }>} */
const touches = new Map();
/** @param {MouseEvent} e */
const at = (e) => {
  const box = canvas.getBoundingClientRect();
  return { x: e.clientX - box.left, y: e.clientY - box.top };
};
canvas.addEventListener("pointerdown", (e) => {
  canvas.setPointerCapture(e.pointerId);
  touches.set(e.pointerId, at(e));
  canvas.classList.add("moving");
});
canvas.addEventListener("pointermove", (e) => {
  const now = at(e);
  const before = touches.get(e.pointerId);
  pointer = now;
  keyed = false;
  if (!before) return draw();
  const others = [...touches.entries()].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
  touches.set(e.pointerId, now);
  if (others.length === 1) {
    const o = others[0],
      was = Math.hypot(before.x - o.x, before.y - o.y),
      is = Math.hypot(now.x - o.x, now.y - o.y);
    move((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 0) zoom(is / was, (now.x + o.x) / 2, (now.y + o.y) / 2);
  } else if (others.length === 0) move(now.x - before.x, now.y - before.y);
});
for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
  canvas.addEventListener(end, (e) => {
    touches.delete(e.pointerId);
    if (touches.size === 0) canvas.classList.remove("moving");
  });
for (const end of /** @type {const} */ (["pointerleave", "blur"]))
  canvas.addEventListener(end, () => {
    pointer = null;
    keyed = false;
    draw();
  });
canvas.addEventListener(
  "wheel",
  (e) => {
    e.preventDefault();
    const p = at(e);
    zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 0.03 : 0.0015)), p.x, p.y);
  },
  { passive: false },
);
canvas.addEventListener("dblclick", (e) => {
  const p = at(e);
  zoom(2, p.x, p.y);
});
canvas.addEventListener("keydown", (e) => {
  /** @type {Record<string, (() => void) | undefined>} */
  const keys = {
    ArrowLeft: () => move(60, 0),
    ArrowRight: () => move(-60, 0),
    ArrowUp: () => move(0, 60),
    ArrowDown: () => move(0, -60),
    "+": () => zoom(1.3, ...centre()),
    "=": () => zoom(1.3, ...centre()),
    "-": () => zoom(1 / 1.3, ...centre()),
    0: whole,
    ",": () => show(time - 1),
    ".": () => show(time + 1),
  };
  const act = keys[e.key];
  if (e.ctrlKey || e.metaKey || e.altKey || !act) return;
  e.preventDefault();
  keyed = true;
  act();
});
let seen = 0;
new ResizeObserver(() => {
  if (seen === 0 || view.scale <= seen) {
    whole();
    seen = view.scale;
  } else draw();
}).observe(canvas);
show(0);
