// A canvas with margins, axes and the colours of the theme; sharp on any screen.

/** @import { Tick } from "./scale.js" */

import { clamp } from "./prediction.js";

/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Pen */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Sides */
/** @typedef {"value" | "doubt"} Kind */

const VALUE = [
  0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
  0xfde725,
];

/**
 * A colour of the theme.
 *
 * @param {string} name
 */
export function colour(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
}

/** @param {number} rgb */
const channels = (rgb) => [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
/** @param {string} text */
const hex = (text) => channels(parseInt(text.slice(1), 16));

/**
 * @param {number[][]} stops
 * @param {number} fraction
 */
function between(stops, fraction) {
  const at = clamp(fraction, 0, 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return stops[i].map((c, k) => c + (at - i) * (stops[i + 1][k] - c));
}

/**
 * The colours of a map: `value` from violet to yellow, `doubt` from the page to violet.
 *
 * @param {Kind} kind
 */
export function palette(kind) {
  const stops =
    kind === "value"
      ? VALUE.map(channels)
      : [hex(colour("sure")), hex("#8a86c4"), hex(colour("unsure"))];
  /** @param {number} fraction */
  return (fraction) => between(stops, fraction);
}

export class Figure {
  /** What is inside the margins, in points of the screen. */
  box = { left: 0, right: 0, top: 0, bottom: 0 };
  /** What the box shows: left, right, bottom and top. */
  limits = [0, 1, 0, 1];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Partial<Sides>} margin
   */
  constructor(canvas, margin = {}) {
    this.canvas = canvas;
    /** @type {Pen} */
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.margin = { left: 62, right: 16, top: 12, bottom: 42, ...margin };
    new ResizeObserver(() => this.paint()).observe(canvas);
    document.addEventListener("themechange", () => this.paint());
  }

  /**
   * Draws everything; every figure has its own.
   *
   * @param {Pen} _pen
   */
  draw(_pen) {}

  paint() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font =
      '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
    const m = this.margin;
    this.box = { left: m.left, top: m.top, right: width - m.right, bottom: height - m.bottom };
    this.draw(c);
  }

  /**
   * Says what the figure shows to those who cannot see it.
   *
   * @param {string} text
   */
  describe(text) {
    this.canvas.setAttribute("aria-label", text);
    if (!this.canvas.hasAttribute("role")) this.canvas.setAttribute("role", "img");
  }

  /**
   * Fixes what the box shows: across from x0 to x1, up from y0 to y1.
   *
   * @param {number} x0
   * @param {number} x1
   * @param {number} y0
   * @param {number} y1
   */
  window(x0, x1, y0, y1) {
    this.limits = [x0, x1, y0, y1];
  }

  /** @param {number} v */
  x(v) {
    const [x0, x1] = this.limits;
    return this.box.left + ((v - x0) / (x1 - x0)) * (this.box.right - this.box.left);
  }

  /** @param {number} v */
  y(v) {
    const [, , y0, y1] = this.limits;
    return this.box.bottom - ((v - y0) / (y1 - y0)) * (this.box.bottom - this.box.top);
  }

  /**
   * The values under a place of the canvas; null outside the box.
   *
   * @param {number} px
   * @param {number} py
   */
  valuesAt(px, py) {
    const { left, right, top, bottom } = this.box;
    if (!(px >= left && px <= right && py >= top && py <= bottom)) return null;
    const [x0, x1, y0, y1] = this.limits;
    return {
      x: x0 + ((px - left) / (right - left)) * (x1 - x0),
      y: y0 + ((bottom - py) / (bottom - top)) * (y1 - y0),
    };
  }

  /**
   * @param {Tick[]} across
   * @param {Tick[]} up
   * @param {string} labelAcross
   * @param {string} labelUp
   * @param {boolean} rules Whether lines run through the picture.
   */
  axes(across, up, labelAcross, labelUp, rules = true) {
    const c = this.context;
    const b = this.box;
    c.lineWidth = 1;
    c.fillStyle = colour("muted");
    c.strokeStyle = colour(rules ? "grid" : "axis");
    c.textAlign = "center";
    c.textBaseline = "top";
    let end = -Infinity;
    for (const [at, text] of across) {
      const px = Math.round(this.x(at)) + 0.5;
      if (rules) this.line(px, b.top, px, b.bottom);
      else this.line(px, b.bottom, px, b.bottom + 4);
      const half = c.measureText(text).width / 2;
      if (px - half > end + 8) {
        c.fillText(text, px, b.bottom + 8);
        end = px + half;
      }
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const [at, text] of up) {
      const py = Math.round(this.y(at)) + 0.5;
      if (rules) this.line(b.left, py, b.right, py);
      else this.line(b.left - 4, py, b.left, py);
      c.fillText(text, b.left - 8, py);
    }
    c.textAlign = "center";
    c.textBaseline = "alphabetic";
    if (labelAcross)
      c.fillText(this.#fit(labelAcross, b.right - b.left), (b.left + b.right) / 2, b.bottom + 36);
    if (labelUp) {
      c.save();
      c.translate(14, (b.top + b.bottom) / 2);
      c.rotate(-Math.PI / 2);
      c.fillText(this.#fit(labelUp, b.bottom - b.top), 0, 0);
      c.restore();
    }
  }

  /**
   * @param {string} text
   * @param {number} width
   */
  #fit(text, width) {
    let shown = text;
    while (shown.length > 4 && this.context.measureText(shown).width > width)
      shown = shown.slice(0, -2) + "…";
    return shown;
  }

  /**
   * A straight line in the present style.
   *
   * @param {number} x0
   * @param {number} y0
   * @param {number} x1
   * @param {number} y1
   */
  line(x0, y0, x1, y1) {
    this.context.beginPath();
    this.context.moveTo(x0, y0);
    this.context.lineTo(x1, y1);
    this.context.stroke();
  }

  /**
   * Draws only inside the box.
   *
   * @param {() => void} work
   */
  clipped(work) {
    const c = this.context;
    const b = this.box;
    c.save();
    c.beginPath();
    c.rect(b.left, b.top, b.right - b.left, b.bottom - b.top);
    c.clip();
    work();
    c.restore();
  }

  /**
   * @param {number} px
   * @param {number} py
   * @param {number} radius
   * @param {string} fill
   * @param {string} [ring]
   */
  dot(px, py, radius, fill, ring) {
    const c = this.context;
    c.beginPath();
    c.arc(px, py, radius, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
    if (ring) {
      c.lineWidth = 1.5;
      c.strokeStyle = ring;
      c.stroke();
    }
  }

  /**
   * Words in place of a picture.
   *
   * @param {string} text
   */
  empty(text) {
    const c = this.context;
    c.fillStyle = colour("muted");
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(text, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }
}
