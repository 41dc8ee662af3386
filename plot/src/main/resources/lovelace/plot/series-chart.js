// Draws series on canvases: a large chart, small ones for lists, and curves of scores.

import { ticks } from "./map-data.js";
import { LEVELS, MEDIAN, amount, roomy, seen } from "./series-data.js";
import { momentText, momentTicks } from "./series-time.js";

/** @typedef {import("./series-data.js").Line} Line */
/** @typedef {import("./series-data.js").Range} Range */

/**
 * Colours of a scheme.
 *
 * @typedef {object} Theme
 * @property {string} ink
 * @property {string} grey
 * @property {string} grid
 * @property {string} axis
 * @property {string} blue
 * @property {string} green
 * @property {string[]} bands The intervals of 95, 80 and 50 %, each over the ones before.
 */

const FACE = '13px Roboto, Inter, "Helvetica Neue", Arial, sans-serif';

/** The room of a chart for its axes. */
export const ROOM = { left: 72, right: 16, top: 12, foot: 46 };

/** @typedef {{ left: number, top: number, width: number, height: number }} Area */

/** @param {number} width @param {number} height @returns {Area} */
export const areaOf = (width, height) => ({
  left: ROOM.left,
  top: ROOM.top,
  width: Math.max(1, width - ROOM.left - ROOM.right),
  height: Math.max(1, height - ROOM.top - ROOM.foot),
});

/**
 * A canvas that is as sharp as the screen, and empty; null if it has no size.
 *
 * @param {HTMLCanvasElement} canvas
 */
export function clean(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = canvas.getContext("2d");
  if (!pen || width === 0 || height === 0) return null;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = FACE;
  pen.lineJoin = "round";
  return { pen, width, height };
}

/** @typedef {(v: number) => number} Place */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 * @param {(i: number) => number} px
 * @param {Place} py
 * @param {Theme} theme
 * @param {number} thick
 */
function trace(pen, { y, fans }, from, to, px, py, theme, thick) {
  for (const { from: begin, q } of fans) {
    const a = Math.max(0, from - begin);
    const b = Math.min(q[0].length, to - begin);
    if (b <= a) continue;
    const half = b - a === 1 ? Math.max(1.5, thick) : 0; // a band of one step has a width too
    theme.bands.forEach((colour, l) => {
      pen.fillStyle = colour;
      pen.beginPath();
      for (let k = a; k < b; k++) pen.lineTo(px(begin + k) - half, py(q[LEVELS - 1 - l][k]));
      if (half) pen.lineTo(px(begin + a) + half, py(q[LEVELS - 1 - l][a]));
      for (let k = b - 1; k >= a; k--) pen.lineTo(px(begin + k) + half, py(q[l][k]));
      if (half) pen.lineTo(px(begin + a) - half, py(q[l][a]));
      pen.closePath();
      pen.fill();
    });
    pen.strokeStyle = theme.blue;
    pen.lineWidth = thick + 0.4;
    pen.beginPath();
    const last = begin - 1;
    if (fans.length === 1 && last === y.length - 1 && last >= from)
      pen.moveTo(px(last), py(y[last]));
    for (let k = a; k < b; k++) pen.lineTo(px(begin + k) - 2 * half, py(q[MEDIAN][k]));
    if (half) pen.lineTo(px(begin + a) + 2 * half, py(q[MEDIAN][a]));
    pen.stroke();
  }
  pen.strokeStyle = theme.ink;
  pen.fillStyle = theme.ink;
  pen.lineWidth = thick;
  pen.beginPath();
  let drawn = false;
  for (let i = from; i < Math.min(to, y.length); i++) {
    if (Number.isNaN(y[i])) {
      drawn = false;
      continue;
    }
    if (drawn) pen.lineTo(px(i), py(y[i]));
    else pen.moveTo(px(i), py(y[i]));
    const alone = !drawn && (i + 1 >= y.length || Number.isNaN(y[i + 1]));
    if (alone) pen.arc(px(i), py(y[i]), thick / 2, 0, 2 * Math.PI);
    drawn = true;
  }
  pen.stroke();
}

/**
 * A line as high as a word: the last values and the forecasts of a series.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Line} line
 * @param {Theme} theme
 */
export function spark(canvas, line, theme) {
  const sheet = clean(canvas);
  if (!sheet) return;
  const { pen, width, height } = sheet;
  const { x } = line;
  const from = Math.max(0, line.y.length - line.shown);
  const { range } = seen(line, { low: x[from], high: x[x.length - 1] });
  const steps = Math.max(1, x.length - 1 - from);
  /** @param {number} i */
  const px = (i) => 2 + ((i - from) / steps) * (width - 4);
  /** @param {number} v */
  const py = (v) => height - 3 - ((v - range.low) / (range.high - range.low)) * (height - 6);
  trace(pen, line, from, x.length, px, py, theme, 1.2);
}

/**
 * The large chart of a series.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Line} line
 * @param {Range} view
 * @param {Theme} theme
 * @param {{ form: string, zone: string, time: string, value: string }} axes
 * @param {number | null} marked The step that is read.
 */
export function chart(canvas, line, view, theme, axes, marked) {
  const sheet = clean(canvas);
  if (!sheet) return;
  const { pen, width, height } = sheet;
  const a = areaOf(width, height);
  const { from, to, range } = seen(line, view);
  /** @param {number} v */
  const toX = (v) => a.left + ((v - view.low) / (view.high - view.low)) * a.width;
  /** @param {number} v */
  const toY = (v) => a.top + a.height * (1 - (v - range.low) / (range.high - range.low));
  const number = axes.form === "number";
  const across = number
    ? ticks(view.low, view.high, a.width / 110)
    : momentTicks(axes.form, axes.zone, view, a.width / 95);
  scale(pen, a, across, ticksOf(range, a.height), toX, toY, theme);
  pen.save();
  pen.beginPath();
  pen.rect(a.left, a.top, a.width, a.height);
  pen.clip();
  trace(pen, line, from, to, (i) => toX(line.x[i]), toY, theme, 1.6);
  if (to - from <= 160) dots(pen, line, from, to, toX, toY, theme);
  if (marked !== null) mark(pen, line, marked, a, toX, toY, theme);
  pen.restore();
  names(pen, a, axes.time, axes.value, theme);
}

/** @param {Range} range @param {number} height */
function ticksOf(range, height) {
  const some = ticks(range.low, range.high, Math.max(2, height / 60));
  const large = Math.max(Math.abs(range.low), Math.abs(range.high));
  return large >= 1e4 && large < 1e15 ? some.map(({ at }) => ({ at, text: short(at) })) : some;
}

/** A large number with few letters. @param {number} v */
export function short(v) {
  const a = Math.abs(v);
  for (const [unit, letter] of /** @type {[number, string][]} */ ([
    [1e12, " tn"],
    [1e9, " bn"],
    [1e6, " m"],
    [1e3, " k"],
  ]))
    if (a >= unit) {
      const text = Number((v / unit).toPrecision(6));
      if (String(Math.abs(text)).length <= 5) return amount(text) + letter;
      break;
    }
  return amount(v);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Area} a
 * @param {{ at: number, text: string }[]} across
 * @param {{ at: number, text: string }[]} up
 * @param {Place} toX
 * @param {Place} toY
 * @param {Theme} theme
 */
function scale(pen, a, across, up, toX, toY, theme) {
  const foot = a.top + a.height;
  pen.fillStyle = theme.grid;
  for (const { at } of up) pen.fillRect(a.left, Math.round(toY(at)), a.width, 1);
  for (const { at } of across) pen.fillRect(Math.round(toX(at)), a.top, 1, a.height);
  pen.fillStyle = theme.axis;
  pen.fillRect(a.left, foot, a.width, 1);
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  pen.fillStyle = theme.grey;
  for (const { at, text } of up) pen.fillText(text, a.left - 8, toY(at), ROOM.left - 28);
  pen.textBaseline = "top";
  pen.textAlign = "center";
  let last = -Infinity;
  for (const { at, text } of across) {
    const half = pen.measureText(text).width / 2;
    const x = Math.min(Math.max(toX(at), half), a.left + a.width + ROOM.right - half);
    if (x - half < last + 10) continue;
    pen.fillText(text, x, foot + 7);
    last = x + half;
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Area} a
 * @param {string} x
 * @param {string} y
 * @param {Theme} theme
 */
function names(pen, a, x, y, theme) {
  pen.fillStyle = theme.ink;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(x, a.left + a.width / 2, a.top + a.height + 40, a.width);
  pen.save();
  pen.translate(14, a.top + a.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(y, 0, 0, a.height);
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 * @param {Place} toX
 * @param {Place} toY
 * @param {Theme} theme
 */
function dots(pen, { x, y }, from, to, toX, toY, theme) {
  pen.fillStyle = theme.ink;
  for (let i = from; i < Math.min(to, y.length); i++) {
    if (Number.isNaN(y[i])) continue;
    pen.beginPath();
    pen.arc(toX(x[i]), toY(y[i]), 2.4, 0, 2 * Math.PI);
    pen.fill();
  }
}

/**
 * The line through the step that is read, with dots on what is there.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {number} i
 * @param {Area} a
 * @param {Place} toX
 * @param {Place} toY
 * @param {Theme} theme
 */
function mark(pen, { x, y, fans }, i, a, toX, toY, theme) {
  pen.fillStyle = theme.grey;
  pen.fillRect(Math.round(toX(x[i])), a.top, 1, a.height);
  const fan = fans.find((f) => i >= f.from && i < f.from + f.q[0].length);
  /** @param {number} v @param {string} colour */
  const dot = (v, colour) => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(toX(x[i]), toY(v), 4, 0, 2 * Math.PI);
    pen.fill();
  };
  if (fan) dot(fan.q[MEDIAN][i - fan.from], theme.blue);
  if (i < y.length && !Number.isNaN(y[i])) dot(y[i], theme.ink);
}

/**
 * The colour of a curve: ours are blue and then green, and all others grey.
 *
 * @param {ScorePanel} panel
 * @param {ScorePanel["curves"][number]} curve
 * @param {Theme} theme
 */
export function curveColour(panel, curve, theme) {
  if (!curve.ours) return theme.grey;
  return curve === panel.curves.find(({ ours }) => ours) ? theme.blue : theme.green;
}

/**
 * Curves over the steps of the horizon.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {ScorePanel} panel
 * @param {Theme} theme
 */
export function curves(canvas, panel, theme) {
  const sheet = clean(canvas);
  if (!sheet) return;
  const { pen, width, height } = sheet;
  const a = areaOf(width, height);
  const all = panel.curves.flatMap(({ y }) => y.filter((v) => v !== null));
  const range = roomy(Math.min(0, ...all), Math.max(...all));
  const steps = Math.max(2, ...panel.curves.map(({ y }) => y.length));
  /** @param {number} k */
  const toX = (k) => a.left + ((k - 1) / (steps - 1)) * a.width;
  /** @param {number} v */
  const toY = (v) => a.top + a.height * (1 - (v - range.low) / (range.high - range.low));
  const whole = ticks(1, steps, a.width / 60)
    .filter(({ at }) => at === Math.round(at))
    .map(({ at }) => ({ at, text: amount(at) }));
  scale(pen, a, whole, ticksOf(range, a.height), toX, toY, theme);
  for (const curve of panel.curves) {
    const { y, ours } = curve;
    pen.strokeStyle = curveColour(panel, curve, theme);
    pen.lineWidth = ours ? 2 : 1.5;
    pen.setLineDash(ours ? [] : [6, 4]);
    pen.beginPath();
    y.forEach((v, k) => {
      if (v !== null) pen.lineTo(toX(k + 1), toY(v));
    });
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = curveColour(panel, curve, theme);
    if (ours && y.length <= 60)
      y.forEach((v, k) => {
        if (v === null) return;
        pen.beginPath();
        pen.arc(toX(k + 1), toY(v), 3, 0, 2 * Math.PI);
        pen.fill();
      });
  }
  names(pen, a, "step of the horizon", panel.label, theme);
}

/**
 * What is known of a step, in words.
 *
 * @param {Line} line
 * @param {number} i
 * @param {{ form: string, zone: string }} axes
 */
export function said(line, i, { form, zone }) {
  const parts = [];
  if (i < line.y.length) parts.push(Number.isNaN(line.y[i]) ? "no value" : amount(line.y[i]));
  const fan = line.fans.find((f) => i >= f.from && i < f.from + f.q[0].length);
  if (fan) {
    /** @param {number} l */
    const q = (l) => amount(fan.q[l][i - fan.from]);
    parts.push(`median ${q(MEDIAN)}, 80 % ${q(1)} to ${q(5)}, 95 % ${q(0)} to ${q(6)}`);
  }
  return { when: momentText(form, zone, line.x[i]), what: parts.join("; ") };
}
