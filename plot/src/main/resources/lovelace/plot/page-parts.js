// What the charts of a page have in common: numbers, dates, axes, and the texts of tooltips.

export const ink = "#222";
export const grey = "#5f6368";
export const grid = "#e8eaed";
const line = "#9aa0a6";

/** @param {number | null | undefined} v */
export function number(v) {
  if (v === null || v === undefined) return "–";
  const a = Math.abs(v);
  const text =
    a !== 0 && (a < 1e-4 || a >= 1e7) ? v.toExponential(3) : String(Number(v.toPrecision(5)));
  return text.replaceAll("-", "−");
}

/**
 * A time, without its hours if it is midnight.
 *
 * @param {number} v Milliseconds since 1970.
 */
export function date(v) {
  const t = new Date(v).toISOString();
  return t.endsWith("T00:00:00.000Z") ? t.slice(0, 10) : t.slice(0, 16).replace("T", " ");
}

/**
 * The words of an axis; undefined if it has numbers or times.
 *
 * @param {Axis} a
 */
export const words = (a) => (a.words && a.words.length > 0 ? a.words : undefined);

/**
 * A value of an axis as text.
 *
 * @param {Axis} a
 * @param {number} v
 */
export function shown(a, v) {
  if (a.time) return date(v);
  const list = words(a);
  return list ? (list[v] ?? "") : number(v);
}

/**
 * Whether the end of an axis is worth a label.
 *
 * @param {number | undefined} v
 * @param {Axis} a
 */
const round = (v, a) => !a.time && v !== undefined && v === Number(v.toPrecision(2));

/**
 * An axis as ECharts wants it.
 *
 * @param {Axis} a
 * @param {boolean} vertical
 */
export function axis(a, vertical) {
  return {
    type: words(a) ? "category" : a.time ? "time" : a.log ? "log" : "value",
    data: words(a),
    name: a.label,
    nameLocation: "middle",
    nameGap: vertical ? 52 : 32,
    nameTextStyle: { color: ink, fontSize: 14 },
    axisLabel: {
      color: grey,
      fontSize: 13,
      hideOverlap: true,
      showMinLabel: words(a) || round(a.low, a),
      showMaxLabel: words(a) || round(a.high, a),
      formatter: a.time ? null : words(a) ? null : number,
    },
    axisLine: { show: !vertical, onZero: false, lineStyle: { color: line } },
    axisTick: { show: !vertical },
    splitLine: { show: true, lineStyle: { color: grid } },
    min: a.low,
    max: a.high,
    scale: true,
  };
}

/**
 * The index of the number nearest to v.
 *
 * @param {number[]} x
 * @param {number} v
 */
export function nearest(x, v) {
  let best = 0;
  for (let i = 1; i < x.length; i++) if (Math.abs(x[i] - v) < Math.abs(x[best] - v)) best = i;
  return best;
}

/**
 * What every layer says near a place: its name, colour and text. Draws and heaps say nothing, nor
 * do points farther away than `reach`, nor bands that end before the place.
 *
 * @param {PlotPanel} panel
 * @param {number} v
 * @param {number} reach
 */
export function saidAt(panel, v, reach) {
  return panel.layers.flatMap(({ kind, name, color, x, y, upper, texts }) => {
    if (kind === "draw" || kind === "heap" || x.length === 0) return [];
    if (
      kind === "band" &&
      (v < Math.min(x[0], x[x.length - 1]) || v > Math.max(x[0], x[x.length - 1]))
    )
      return [];
    const i = nearest(x, v);
    if (texts) return [{ name, color, text: texts[i] }];
    if (kind === "points" && Math.abs(x[i] - v) > reach) return [];
    const place = kind === "points" && x[i] !== v ? shown(panel.x, x[i]) + ": " : "";
    const end = kind === "band" ? " to " + number(upper[i]) : "";
    return [{ name, color, text: place + number(y[i]) + end }];
  });
}
