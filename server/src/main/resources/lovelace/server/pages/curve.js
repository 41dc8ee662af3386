// A posterior along one column: bands, mean, draws that turn into one another, data, and the predictive
// distribution at the cursor.

import { Figure, colour, place } from "./figure.js";
import { number, ticks, undo } from "./format.js";

const HALF = 0.6744898; // of the 50 % interval, in standard deviations
const NEARLY = 1.959964; // of the 95 % interval
const TURN = 2600; // milliseconds from one set of draws to the next
const MOVE = 280; // milliseconds in which the posterior moves

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Curve extends Figure {
  /** `on` may have: add(x, y), hover(prediction or null), more(seed) for the next draws. */
  constructor(canvas, on = {}, margin = {}) {
    super(canvas, margin);
    this.on = on;
    this.added = [];
    this.noisy = false;
    this.playing = !still();
    this.turned = 0;
    this.frame = null;
    if (on.add || on.hover) this.#listen();
  }

  /** Shows a view; a new posterior over the same range is moved to. */
  show(view, { scale, target, transform, noise, added = [] }) {
    const old = this.shown;
    const alike = old && view && old.points === view.points && old.from === view.from && old.to === view.to;
    this.before = alike && !still() ? { mean: old.mean, sd: old.sd, at: performance.now() } : null;
    this.shown = view && { data: alike ? old.data : undefined, ...view };
    this.scale = scale;
    this.target = target;
    this.back = undo(transform);
    this.noise = noise;
    this.added = added;
    if (view?.draws) {
      this.from = view.draws.map((draw) => deviations(draw, view.mean));
      this.to = null;
      this.turned = 0;
    } else if (!alike) {
      this.from = null;
    }
    if (view && this.cursor) this.on.hover?.(this.at(this.cursor.x), this.cursor);
    this.go();
  }

  /** The draws of the next seed, which the present ones turn into. */
  next(draws) {
    if (draws.length !== this.from?.length) this.playing = false;
    else this.to = draws.map((draw) => deviations(draw, this.shown.mean));
  }

  go() {
    if (this.frame === null) this.frame = requestAnimationFrame((now) => this.#step(now));
  }

  #step(now) {
    this.frame = null;
    const passed = Math.min(now - (this.last ?? now), 60);
    this.last = now;
    const moving = this.before && now - this.before.at < MOVE;
    if (!moving) this.before = null;
    const turning = this.playing && this.from?.length > 0 && this.canvas.clientWidth > 0 && !document.hidden;
    if (turning && this.to) {
      this.turned += passed / TURN;
      if (this.turned >= 1) {
        this.from = this.to;
        this.to = null;
        this.turned = 0;
      }
    }
    if (turning && !this.to && !this.waiting && this.on.more) {
      this.waiting = true;
      this.on.more().finally(() => { this.waiting = false; this.go(); });
    }
    this.paint();
    if (moving || (turning && this.to)) this.go();
    else this.last = undefined;
  }

  /** Mean and deviation of f as they stand between the old posterior and the new. */
  #now() {
    const { mean, sd } = this.shown;
    if (!this.before) return [mean, sd];
    const t = Math.min((performance.now() - this.before.at) / MOVE, 1);
    const w = 1 - (1 - t) ** 3;
    const mix = (old, now) => now.map((v, i) => old[i] + w * (v - old[i]));
    return [mix(this.before.mean, mean), mix(this.before.sd, sd)];
  }

  #heights(mean, sd) {
    let low = Infinity;
    let high = -Infinity;
    const take = (v) => { if (v < low) low = v; if (v > high) high = v; };
    const extra = this.noisy ? this.noise : 0;
    mean.forEach((m, i) => {
      const s = Math.hypot(sd[i], Math.sqrt(extra));
      take(this.back(m - NEARLY * s));
      take(this.back(m + NEARLY * s));
    });
    if (this.noisy && this.shown.observed) for (const end of Object.values(this.shown.observed)) end.forEach(take);
    this.shown.data?.target?.forEach((v) => take(this.#drawn(v)));
    for (const row of this.added) take(row.at(-1));
    const margin = 0.06 * (high - low || 1);
    return [low - margin, high + margin];
  }

  /** A target of the data in the units of the picture. */
  #drawn(target) {
    return this.shown.data.plain ? target : this.back(target);
  }

  draw(c) {
    const view = this.shown;
    if (!view) return this.empty("No model");
    const [mean, sd] = this.#now();
    const [low, high] = this.fixed ?? this.#heights(mean, sd);
    this.window(view.from, view.to, low, high);
    const b = this.box;
    this.axes(
      this.scale.ticks(view.from, view.to, (b.right - b.left) / 110),
      ticks(low, high, (b.bottom - b.top) / 56).map((v) => [v, number(v)]),
      this.scale.label, this.target);
    this.clipped(() => {
      this.#data(c, view.data);
      const noise = this.noisy ? this.noise : 0;
      if (this.noisy && view.observed) {
        this.#area(c, view.observed.high, view.observed.low, 0.16);
      } else {
        this.#band(c, mean, sd, noise, NEARLY, 0.16);
        this.#band(c, mean, sd, noise, HALF, 0.24);
      }
      this.#draws(c, mean);
      this.#line(c, mean, colour("mean"), 2.25);
      for (const row of this.added) this.dot(this.x(row[this.shown.x ?? 0]), this.y(row.at(-1)), 5.5, colour("added"), colour("card"));
      if (this.cursor) this.#distribution(c, mean, sd);
    });
  }

  #px(i) {
    return this.x(this.shown.from + ((this.shown.to - this.shown.from) * i) / (this.shown.points - 1));
  }

  #path(c, values, begin) {
    values.forEach((v, i) => {
      const py = this.y(this.back(v));
      if (i === 0 && begin) c.moveTo(this.#px(0), py);
      else c.lineTo(this.#px(i), py);
    });
  }

  #line(c, values, style, width) {
    c.beginPath();
    this.#path(c, values, true);
    c.strokeStyle = style;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.stroke();
  }

  #band(c, mean, sd, noise, half, opacity) {
    const edge = (sign) => mean.map((m, i) => this.back(m + sign * half * Math.sqrt(sd[i] ** 2 + noise)));
    this.#area(c, edge(1), edge(-1), opacity);
  }

  /** The area between two curves in the units of the picture. */
  #area(c, high, low, opacity) {
    c.beginPath();
    high.forEach((v, i) => c.lineTo(this.#px(i), this.y(v)));
    low.map((v, i) => [v, i]).reverse().forEach(([v, i]) => c.lineTo(this.#px(i), this.y(v)));
    c.closePath();
    c.globalAlpha = opacity;
    c.fillStyle = colour("mean");
    c.fill();
    c.globalAlpha = 1;
  }

  /** Deviations a and b of two independent draws give another draw for every angle: a cos θ + b sin θ. */
  #draws(c, mean) {
    if (!this.from) return;
    const angle = (Math.PI / 2) * this.turned;
    const [p, q] = this.to ? [Math.cos(angle), Math.sin(angle)] : [1, 0];
    c.globalAlpha = 0.75;
    this.from.forEach((a, k) => {
      const b = this.to?.[k] ?? a;
      this.#line(c, mean.map((m, i) => m + p * a[i] + q * b[i]), colour("draw"), 1.2);
    });
    c.globalAlpha = 1;
  }

  /** Drawn once for a window and a theme, then copied. */
  #data(c, data) {
    if (!data?.x) return;
    const { width, height } = this.canvas;
    const key = [width, height, document.documentElement.dataset.theme, ...this.limits].join();
    if (this.layer?.data !== data || this.layer.key !== key) {
      const canvas = new OffscreenCanvas(width, height);
      this.layer = { data, key, canvas };
      this.context = canvas.getContext("2d");
      this.context.setTransform(c.getTransform());
      this.#dots(this.context, data);
      this.context = c;
    }
    c.save();
    c.resetTransform();
    c.drawImage(this.layer.canvas, 0, 0);
    c.restore();
  }

  #dots(c, data) {
    const style = colour("data");
    const most = data.counts ? data.counts.reduce((a, b) => Math.max(a, b), 1) : 1;
    const few = data.x.length <= 300;
    data.x.forEach((v, i) => {
      const share = data.counts ? data.counts[i] / most : 1;
      c.globalAlpha = data.kind === "cells" ? 0.12 + 0.55 * Math.sqrt(share) : few ? 0.85 : 0.5;
      const radius = data.kind === "averages" ? (most === 1 ? 3 : 1.5 + 3 * Math.sqrt(share)) : data.kind === "cells" ? 1.5 : few ? 3 : 2;
      this.dot(this.x(v), this.y(this.#drawn(data.target[i])), radius, style);
    });
    c.globalAlpha = 1;
  }

  /** The prediction at x, between the points of the view; in the units of the modelled target. */
  at(x) {
    const { from, to, points, mean, sd, observed } = this.shown;
    const u = Math.min(Math.max(((x - from) / (to - from)) * (points - 1), 0), points - 1);
    const i = Math.min(Math.floor(u), points - 2);
    const mix = (list) => list[i] + (u - i) * (list[i + 1] - list[i]);
    const m = mix(mean);
    const s = mix(sd);
    const total = Math.sqrt(s * s + this.noise);
    const interval = (half, d) => [this.back(m - half * d), this.back(m + half * d)];
    return {
      x, median: this.back(m), m, s, total,
      half: interval(HALF, s), nearly: interval(NEARLY, s),
      observed: observed ? [observed.low, observed.high].map((end) => end[Math.round(u)]) : interval(NEARLY, total),
    };
  }

  /** The density of f (filled) and of an observation (outlined), upright at the cursor. */
  #distribution(c, mean, sd) {
    const { x, y } = this.cursor;
    const here = this.at(x);
    const px = this.x(x);
    const b = this.box;
    c.strokeStyle = colour("axis");
    c.setLineDash([3, 4]);
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(px, b.top);
    c.lineTo(px, b.bottom);
    c.moveTo(b.left, this.y(y));
    c.lineTo(b.right, this.y(y));
    c.stroke();
    c.setLineDash([]);
    const side = px + 120 > b.right ? -1 : 1;
    const shape = (d, fill) => {
      const peak = Math.max(...[-1, 0, 1].map((z) => this.#density(here.m + z * d, here.m, d)));
      c.beginPath();
      c.moveTo(px, this.y(this.back(here.m - 4 * d)));
      for (let z = -4; z <= 4.001; z += 0.1) {
        const v = here.m + z * d;
        c.lineTo(px + side * 90 * (this.#density(v, here.m, d) / peak) * (fill ? 1 : Math.min(1, here.s / d) ** 0.5), this.y(this.back(v)));
      }
      c.closePath();
      if (fill) {
        c.globalAlpha = 0.35;
        c.fillStyle = colour("mean");
        c.fill();
        c.globalAlpha = 1;
      }
      c.strokeStyle = colour(fill ? "mean" : "axis");
      c.lineWidth = 1.4;
      c.stroke();
    };
    if (!this.shown.observed) shape(here.total, false);
    shape(here.s, true);
    for (const [low, high] of [here.nearly, here.half]) {
      c.lineWidth = low === here.half[0] ? 6 : 2;
      c.strokeStyle = colour("mean");
      c.beginPath();
      c.moveTo(px, this.y(low));
      c.lineTo(px, this.y(high));
      c.stroke();
    }
    this.dot(px, this.y(here.median), 4, colour("card"), colour("mean"));
    if (this.on.hover) this.#label(c, here);
  }

  #label(c, here) {
    const b = this.box;
    const text = `${this.scale.text(here.x)}: ${number(here.median)}, 95 % ${number(here.nearly[0])} to ${number(here.nearly[1])}`;
    const width = c.measureText(text).width + 16;
    const left = Math.min(Math.max(this.x(here.x) - width / 2, b.left + 4), b.right - width - 4);
    c.globalAlpha = 0.9;
    c.fillStyle = colour("card");
    c.beginPath();
    c.roundRect(left, b.top + 4, width, 22, 6);
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = colour("line");
    c.lineWidth = 1;
    c.stroke();
    c.fillStyle = colour("ink");
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillText(text, left + 8, b.top + 15.5);
  }

  /** Of the target in its own units: that of z over the slope of the inverse transform. */
  #density(z, m, s) {
    const slope = (this.back(z + 1e-6 * s) - this.back(z - 1e-6 * s)) / (2e-6 * s);
    return Math.exp(-0.5 * ((z - m) / s) ** 2) / slope;
  }

  // ---- pointer and keys ----

  point(x, y) {
    this.cursor = x === null ? null : { x, y };
    this.on.hover?.(x === null ? null : this.at(x), this.cursor);
    this.go();
  }

  #listen() {
    const canvas = this.canvas;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-roledescription", "plot");
    canvas.addEventListener("pointermove", (event) => {
      const [px, py] = place(event);
      if (this.shown && this.inside(px, py)) this.point(this.atX(px), this.atY(py));
      else if (this.cursor) this.point(null);
    });
    canvas.addEventListener("pointerleave", () => { if (document.activeElement !== canvas) this.point(null); });
    canvas.addEventListener("click", (event) => {
      const [px, py] = place(event);
      if (this.shown && this.inside(px, py)) this.on.add?.(this.atX(px), this.atY(py));
    });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("blur", () => this.point(null));
  }

  #key(event) {
    if (!this.shown || event.altKey || event.ctrlKey || event.metaKey) return;
    const [x0, x1, y0, y1] = this.limits;
    const { x = (x0 + x1) / 2, y = this.at((x0 + x1) / 2).median } = this.cursor ?? {};
    const pace = event.shiftKey ? 0.1 : 0.01;
    const moves = { ArrowLeft: [-pace, 0], ArrowRight: [pace, 0], ArrowUp: [0, pace], ArrowDown: [0, -pace], Home: [-1, 0], End: [1, 0] };
    const move = moves[event.key];
    if (move) {
      const nx = Math.min(Math.max(x + move[0] * (x1 - x0), x0), x1);
      const ny = move[1] === 0 && !this.cursor?.chosen ? this.at(nx).median : Math.min(Math.max(y + move[1] * (y1 - y0), y0), y1);
      const chosen = this.cursor?.chosen || move[1] !== 0;
      this.point(nx, ny);
      this.cursor.chosen = chosen;
      this.on.say?.(this.at(nx), ny);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.cursor) this.on.add?.(x, y);
    } else if (event.key === "Escape") {
      this.point(null);
    } else return;
    event.preventDefault();
  }
}

const deviations = (draw, mean) => draw.map((v, i) => v - mean[i]);
