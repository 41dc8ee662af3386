// A posterior along one column: bands, mean, draws that turn into one another, data, and the predictive
// distribution at the cursor.

/** @import { Line, Rows } from "./answers.js" */
/** @import { Pen } from "./figure.js" */
/** @import { Interval, Prediction } from "./prediction.js" */
/** @import { Scale } from "./scale.js" */

import { listen } from "./cursor.js";
import { drawDistribution, drawLabel } from "./distribution.js";
import { Figure, colour } from "./figure.js";
import { number, ticks, undo } from "./format.js";
import { HALF, NEARLY, alongLine } from "./prediction.js";

const TURN = 2600; // milliseconds from one set of draws to the next
const LONGEST = 500; // milliseconds that one frame counts at most: after a pause draws do not jump
const MOVE = 280; // milliseconds in which the posterior moves

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {Prediction & { x: number, observed: Interval }} Here */
/** @typedef {{ x: number, y: number, chosen?: boolean }} Cursor `chosen` says that y was moved. */

/**
 * @typedef {object} CurveListener
 * @property {(x: number, y: number) => void} add
 * @property {(here: Here | null, y: number) => void} hover
 * @property {(here: Here, y: number) => void} say
 * @property {() => Promise<void>} [more] Fetches the next draws.
 */

/**
 * @typedef {object} CurveWords
 * @property {Scale} scale
 * @property {string} target
 * @property {string} transform
 * @property {number} noise
 * @property {number[][]} [added]
 */

export class Curve extends Figure {
  /** Whether bands are those of an observation. */
  noisy = false;
  playing = !still();
  /** @type {Interval | null} A fixed range; without it the picture finds its own. */
  fixed = null;
  /** @type {Cursor | null} */
  cursor = null;
  /** @type {Line | null} */
  shown = null;
  /** @type {Scale | null} */
  scale = null;
  target = "";
  noise = 0;
  back = undo("none");
  /** @type {number[][]} */
  added = [];

  /** @type {{ mean: number[], sd: number[], at: number } | null} The posterior that is moved from. */
  #before = null;
  /** @type {number[][] | null} Deviations of the present draws from the mean. */
  #from = null;
  /** @type {number[][] | null} Those of the draws they turn into. */
  #to = null;
  #turned = 0;
  #waiting = false;
  /** @type {number | null} */
  #frame = null;
  /** @type {number | null} */
  #last = null;
  /** @type {{ data: Rows, key: string, canvas: OffscreenCanvas } | null} */
  #layer = null;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {CurveListener} [on]
   */
  constructor(canvas, on) {
    super(canvas);
    this.on = on;
    if (!on) return;
    canvas.setAttribute("aria-roledescription", "plot");
    listen(this, {
      share: 0.01,
      cursor: () => this.cursor,
      start: () => this.#start(),
      point: (place) => this.point(place),
      step: ({ x, y, upright }) => {
        const chosen = this.cursor?.chosen || upright;
        const here = this.at(x);
        const place = { x, y: chosen ? y : here.median, chosen };
        this.point(place);
        on.say(here, place.y);
      },
      choose: ({ x, y }) => on.add(x, y),
      leave: () => {
        if (this.cursor) this.point(null);
      },
    });
  }

  #start() {
    if (!this.shown) return null;
    const x = (this.limits[0] + this.limits[1]) / 2;
    return { x, y: this.at(x).median };
  }

  /**
   * Shows a posterior. One over the same range is moved to, unless `jump` is set.
   *
   * @param {Line} line
   * @param {CurveWords} words
   */
  show(line, { scale, target, transform, noise, added = [] }, jump = false) {
    const old = this.shown;
    const alike = old && old.points === line.points && old.from === line.from && old.to === line.to;
    this.#before =
      alike && !jump && !still() ? { mean: old.mean, sd: old.sd, at: performance.now() } : null;
    this.shown = { data: alike ? old.data : undefined, ...line };
    this.scale = scale;
    this.target = target;
    this.back = undo(transform);
    this.noise = noise;
    this.added = added;
    if (line.draws) {
      this.#from = line.draws.map((draw) => deviations(draw, line.mean));
      this.#to = null;
      this.#turned = 0;
    } else if (!alike) {
      this.#from = null;
    }
    if (this.cursor) this.on?.hover(this.at(this.cursor.x), this.cursor.y);
    this.go();
  }

  /**
   * The draws of the next seed, which the present ones turn into.
   *
   * @param {number[][]} draws
   */
  next(draws) {
    const mean = this.shown?.mean;
    if (!mean || draws.length !== this.#from?.length) this.playing = false;
    else this.#to = draws.map((draw) => deviations(draw, mean));
  }

  /** Draws in the next frame, and goes on while something moves. */
  go() {
    if (this.#frame === null) this.#frame = requestAnimationFrame((now) => this.#step(now));
  }

  /** @param {number} now */
  #step(now) {
    this.#frame = null;
    const passed = Math.min(now - (this.#last ?? now), LONGEST);
    this.#last = now;
    const moving = this.#before !== null && now - this.#before.at < MOVE;
    if (!moving) this.#before = null;
    const seen = this.canvas.clientWidth > 0 && !document.hidden;
    const turning = this.playing && (this.#from?.length ?? 0) > 0 && seen;
    if (turning && this.#to) {
      this.#turned += passed / TURN;
      if (this.#turned >= 1) {
        this.#from = this.#to;
        this.#to = null;
        this.#turned = 0;
      }
    }
    if (turning && !this.#to && !this.#waiting && this.on?.more) {
      this.#waiting = true;
      this.on.more().finally(() => {
        this.#waiting = false;
        this.go();
      });
    }
    this.paint();
    if (moving || (turning && this.#to)) this.go();
    else this.#last = null;
  }

  /**
   * Mean and deviation as they stand between the old posterior and the new.
   *
   * @param {Line} line
   */
  #now({ mean, sd }) {
    const before = this.#before;
    if (!before) return [mean, sd];
    const t = Math.min((performance.now() - before.at) / MOVE, 1);
    const w = 1 - (1 - t) ** 3;
    /** @param {number[]} old @param {number[]} now */
    const mix = (old, now) => now.map((v, i) => old[i] + w * (v - old[i]));
    return [mix(before.mean, mean), mix(before.sd, sd)];
  }

  /**
   * @param {Line} line
   * @param {number[]} mean
   * @param {number[]} sd
   * @returns {Interval}
   */
  #heights({ observed, data }, mean, sd) {
    let low = Infinity;
    let high = -Infinity;
    /** @param {number} v */
    const take = (v) => {
      if (v < low) low = v;
      if (v > high) high = v;
    };
    const extra = this.noisy ? this.noise : 0;
    mean.forEach((m, i) => {
      const s = Math.sqrt(sd[i] ** 2 + extra);
      take(this.back(m - NEARLY * s));
      take(this.back(m + NEARLY * s));
    });
    if (this.noisy && observed) for (const end of Object.values(observed)) end.forEach(take);
    if (data) data.target?.forEach((v) => take(this.#drawn(data, v)));
    for (const row of this.added) take(row[row.length - 1]);
    const margin = 0.06 * (high - low || 1);
    return [low - margin, high + margin];
  }

  /**
   * A target of the data in the units of the picture.
   *
   * @param {Rows} data
   * @param {number} target
   */
  #drawn(data, target) {
    return data.plain ? target : this.back(target);
  }

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const { shown: line, scale } = this;
    if (!line || !scale) return this.empty("No model");
    const [mean, sd] = this.#now(line);
    const [low, high] = this.fixed ?? this.#heights(line, mean, sd);
    this.window(line.from, line.to, low, high);
    const b = this.box;
    this.axes(
      scale.ticks(line.from, line.to, (b.right - b.left) / 110),
      ticks(low, high, Math.max(3, (b.bottom - b.top) / 56)).map((v) => [v, number(v)]),
      scale.label,
      this.target,
    );
    this.clipped(() => {
      if (line.data) this.#data(c, line.data);
      this.#bands(c, line, mean, sd);
      this.#draws(c, line, mean);
      this.#path(c, line, mean, colour("mean"), 2.25);
      for (const row of this.added) {
        const [x, y] = [row[line.x ?? 0], row[row.length - 1]];
        this.dot(this.x(x), this.y(y), 5.5, colour("added"), colour("card"));
      }
      if (!this.cursor) return;
      const here = this.at(this.cursor.x);
      drawDistribution(this, c, here, this.cursor.y, this.back, !line.observed);
      if (this.on) drawLabel(this, c, this.x(here.x), `${scale.text(here.x)}: ${label(here)}`);
    });
  }

  /**
   * @param {Line} line
   * @param {number} i
   */
  #px({ from, to, points }, i) {
    return this.x(from + ((to - from) * i) / (points - 1));
  }

  /**
   * A line through values of the modelled target.
   *
   * @param {Pen} c
   * @param {Line} line
   * @param {number[]} values
   * @param {string} style
   * @param {number} width
   */
  #path(c, line, values, style, width) {
    c.beginPath();
    values.forEach((v, i) => c.lineTo(this.#px(line, i), this.y(this.back(v))));
    c.strokeStyle = style;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.stroke();
  }

  /**
   * @param {Pen} c
   * @param {Line} line
   * @param {number[]} mean
   * @param {number[]} sd
   */
  #bands(c, line, mean, sd) {
    if (this.noisy && line.observed)
      return this.#area(c, line, line.observed.high, line.observed.low, 0.16);
    const noise = this.noisy ? this.noise : 0;
    for (const [half, opacity] of [
      [NEARLY, 0.16],
      [HALF, 0.24],
    ]) {
      /** @param {number} sign */
      const edge = (sign) =>
        mean.map((m, i) => this.back(m + sign * half * Math.sqrt(sd[i] ** 2 + noise)));
      this.#area(c, line, edge(1), edge(-1), opacity);
    }
  }

  /**
   * The area between two curves in the units of the picture.
   *
   * @param {Pen} c
   * @param {Line} line
   * @param {number[]} high
   * @param {number[]} low
   * @param {number} opacity
   */
  #area(c, line, high, low, opacity) {
    c.beginPath();
    high.forEach((v, i) => c.lineTo(this.#px(line, i), this.y(v)));
    for (let i = low.length - 1; i >= 0; i--) c.lineTo(this.#px(line, i), this.y(low[i]));
    c.closePath();
    c.globalAlpha = opacity;
    c.fillStyle = colour("mean");
    c.fill();
    c.globalAlpha = 1;
  }

  /**
   * Deviations a and b of two independent draws give another draw for every angle: a cos θ + b sin θ.
   *
   * @param {Pen} c
   * @param {Line} line
   * @param {number[]} mean
   */
  #draws(c, line, mean) {
    const angle = (Math.PI / 2) * this.#turned;
    const [p, q] = this.#to ? [Math.cos(angle), Math.sin(angle)] : [1, 0];
    c.globalAlpha = 0.75;
    this.#from?.forEach((a, k) => {
      const b = this.#to?.[k] ?? a;
      const draw = mean.map((m, i) => m + p * a[i] + q * b[i]);
      this.#path(c, line, draw, colour("draw"), 1.2);
    });
    c.globalAlpha = 1;
  }

  /**
   * Drawn once for a window and a theme, then copied.
   *
   * @param {Pen} c
   * @param {Rows} data
   */
  #data(c, data) {
    const { width, height } = this.canvas;
    const key = [width, height, document.documentElement.dataset.theme, ...this.limits].join();
    if (this.#layer?.data !== data || this.#layer.key !== key) {
      const canvas = new OffscreenCanvas(width, height);
      const pen = canvas.getContext("2d");
      if (!pen) return;
      pen.setTransform(c.getTransform());
      this.context = pen;
      this.#dots(pen, data);
      this.context = c;
      this.#layer = { data, key, canvas };
    }
    c.save();
    c.resetTransform();
    c.drawImage(this.#layer.canvas, 0, 0);
    c.restore();
  }

  /**
   * @param {Pen} c
   * @param {Rows} data
   */
  #dots(c, data) {
    const { kind, x = [], target = [], counts } = data;
    const style = colour("data");
    const most = counts?.reduce((a, b) => Math.max(a, b), 1) ?? 1;
    const few = x.length <= 300;
    x.forEach((v, i) => {
      const share = Math.sqrt(counts ? counts[i] / most : 1);
      let radius = few ? 3 : 2;
      c.globalAlpha = few ? 0.85 : 0.5;
      if (kind === "averages") radius = most === 1 ? 3 : 1.5 + 3 * share;
      if (kind === "cells") {
        radius = 1.5;
        c.globalAlpha = 0.12 + 0.55 * share;
      }
      this.dot(this.x(v), this.y(this.#drawn(data, target[i])), radius, style);
    });
    c.globalAlpha = 1;
  }

  /**
   * The prediction at x.
   *
   * @param {number} x
   * @returns {Here}
   */
  at(x) {
    if (!this.shown) throw new Error("There is no posterior yet.");
    return alongLine(this.shown, x, this.noise, this.back);
  }

  /** @param {Cursor | null} cursor */
  point(cursor) {
    this.cursor = cursor;
    this.on?.hover(cursor && this.at(cursor.x), cursor?.y ?? NaN);
    this.go();
  }
}

/**
 * @param {number[]} draw
 * @param {number[]} mean
 */
const deviations = (draw, mean) => draw.map((v, i) => v - mean[i]);

/** @param {Prediction} here */
const label = ({ median, nearly: [low, high] }) =>
  `${number(median)}, 95 % ${number(low)} to ${number(high)}`;
