// Draws `panels`, which the program has written above, with ECharts.

import { axis, grey, grid, ink, number, saidAt, shown, words } from "./page-parts.js";

const font = { fontFamily: "Roboto, Inter, 'Helvetica Neue', Arial, sans-serif" };
const several = panels.filter((panel) => panel.kind !== "head").length > 1;
const main = /** @type {HTMLElement} */ (document.getElementById("panels"));

/** The buttons of a chart. */
const zoomTools = {
  right: 12,
  feature: {
    dataZoom: { title: { zoom: "Zoom into an area", back: "Undo the last zoom" } },
    restore: { title: "Show everything" },
    saveAsImage: { title: "Save as an image" },
  },
};

/**
 * @param {keyof HTMLElementTagNameMap} name
 * @param {HTMLElement} parent
 * @param {string} [text]
 */
function element(name, parent, text) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  parent.appendChild(e);
  return e;
}

/**
 * A label in a tooltip: names come from tables and are never markup.
 *
 * @param {string} text
 */
function safe(text) {
  const e = document.createElement("span");
  e.textContent = text;
  return e.innerHTML;
}

/** @param {Layer} layer */
function band(layer) {
  return {
    type: "custom",
    name: layer.name,
    clip: true,
    silent: true,
    z: 1,
    itemStyle: { color: layer.color },
    data: layer.x.length
      ? [
          [layer.x[0], layer.y[0]],
          [layer.x[layer.x.length - 1], layer.upper[0]],
        ]
      : [],
    renderItem(/** @type {{ dataIndexInside: number }} */ params, /** @type {RenderApi} */ api) {
      if (params.dataIndexInside !== 0) return null;
      const points = [];
      /** @param {number} i */
      const keep = (i) => layer.y[i] !== null && layer.upper[i] !== null;
      for (let i = 0; i < layer.x.length; i++)
        if (keep(i)) points.push(api.coord([layer.x[i], layer.y[i]]));
      for (let i = layer.x.length - 1; i >= 0; i--)
        if (keep(i)) points.push(api.coord([layer.x[i], layer.upper[i]]));
      return { type: "polygon", shape: { points }, style: { fill: layer.color } };
    },
  };
}

/**
 * A layer as ECharts wants it.
 *
 * @param {Layer} layer
 * @returns {Record<string, unknown>}
 */
function series(layer) {
  if (layer.kind === "band" || layer.kind === "heap") return band(layer);
  const data = layer.x.map((x, i) => [x, layer.y[i]]);
  if (layer.kind === "notes")
    return {
      type: "scatter",
      name: layer.name,
      data,
      z: 4,
      symbolSize: 0.1,
      silent: true,
      label: {
        show: true,
        position: "inside",
        color: layer.color,
        fontSize: 12,
        formatter: (/** @type {{ dataIndex: number }} */ { dataIndex }) =>
          layer.texts?.[dataIndex] ?? "",
      },
    };
  if (layer.kind === "points")
    return {
      type: "scatter",
      name: layer.name,
      data,
      z: 4,
      symbolSize: data.length > 2000 ? 3 : data.length > 12 ? 6 : 9,
      large: data.length > 5000,
      itemStyle: layer.filled
        ? { color: layer.color }
        : { color: "#fff", borderColor: layer.color, borderWidth: 1.5 },
    };
  return {
    type: "line",
    name: layer.name,
    data,
    symbol: "none",
    z: layer.kind === "draw" ? 2 : 3,
    itemStyle: { color: layer.color },
    lineStyle: { color: layer.color, width: layer.width, type: layer.dashed ? "dashed" : "solid" },
    emphasis: { disabled: true },
  };
}

/**
 * The names of layers, each once; lines have a short line beside theirs.
 *
 * @param {Layer[]} layers
 */
function legend(layers) {
  const named = new Map(
    layers
      .filter(({ kind, name }) => name && kind !== "notes")
      .map((layer) => [layer.name, layer.kind]),
  );
  return [...named].map(([name, kind]) =>
    kind === "line" || kind === "draw" ? { name, icon: "path://M0 0h24v3H0z" } : { name },
  );
}

/**
 * What every layer says near a place, as markup.
 *
 * @param {PlotPanel} panel
 * @param {number} v
 * @param {number} reach
 */
function tip(panel, v, reach) {
  const said = saidAt(panel, v, reach).map(
    ({ name, color, text }) => `<span style="color:${color}">■</span> ${safe(`${name}  ${text}`)}`,
  );
  return [`<b>${safe(`${panel.x.label} ${shown(panel.x, v)}`)}</b>`, ...said].join("<br>");
}

/** @param {PlotPanel} panel @param {Chart} chart */
function drawPlot(panel, chart) {
  const all = panel.layers.flatMap((l) => l.x);
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  const span = high - low;
  const list = words(panel.x);
  const range = span > 0 && !panel.x.log && !list ? { low, high } : {};
  const layers = panel.layers.map(series);
  if (panel.boundaries.length && layers.length)
    layers[layers.length - 1].markLine = {
      symbol: "none",
      silent: true,
      lineStyle: { color: grey, type: "dashed" },
      data: panel.boundaries.map((b) => ({
        xAxis: b.x,
        label: { formatter: b.label, color: grey },
      })),
    };
  chart.setOption({
    useUTC: true,
    animation: false,
    aria: { enabled: true },
    textStyle: font,
    grid: { left: 76, right: 28, top: 44, bottom: 92 },
    legend: {
      top: 4,
      left: 8,
      textStyle: { color: ink, fontSize: 13 },
      data: legend(panel.layers),
    },
    toolbox: zoomTools,
    tooltip: {
      trigger: "axis",
      axisPointer: { type: "line" },
      confine: true,
      formatter: (/** @type {{ axisValue: number | string }[]} */ items) => {
        if (items.length === 0) return "";
        const { axisValue } = items[0];
        const v = list ? list.indexOf(String(axisValue)) : Number(axisValue);
        return tip(panel, v, span / 200);
      },
    },
    dataZoom: [
      { type: "inside", filterMode: "none" },
      {
        type: "slider",
        filterMode: "none",
        height: 20,
        bottom: 12,
        labelFormatter: (/** @type {number} */ v) => shown(panel.x, v),
      },
    ],
    xAxis: axis({ ...panel.x, ...range }, false),
    yAxis: axis(panel.y, true),
    series: layers,
  });
}

/** @param {HeatPanel} panel @param {Chart} chart */
function drawHeat(panel, chart) {
  const xs = panel.x.at;
  const ys = panel.y.at;
  /** @type {number[][]} */
  const data = [];
  xs.forEach((x, i) =>
    ys.forEach((y, j) => {
      const value = panel.values[i * ys.length + j];
      // what lies beyond the ends of the bar has their colours
      if (value !== null)
        data.push([x, y, Math.min(Math.max(value, panel.low), panel.high), value]);
    }),
  );
  /** @param {number[]} at */
  const half = (at) => (at[at.length - 1] - at[0]) / (at.length - 1) / 2;
  const hx = half(xs);
  const hy = half(ys);
  /** @param {number[]} at */
  const range = (at) => ({ low: at[0], high: at[at.length - 1] });
  chart.setOption({
    useUTC: true,
    animation: false,
    aria: { enabled: true },
    textStyle: font,
    title: {
      text: panel.name,
      left: 8,
      top: 4,
      textStyle: { fontSize: 14, fontWeight: 400, color: ink },
    },
    grid: {
      left: 76,
      right: 96,
      top: 44,
      bottom: 56,
      show: Boolean(panel.gap),
      borderWidth: 0,
      backgroundColor: panel.gap,
    },
    toolbox: zoomTools,
    tooltip: {
      confine: true,
      formatter: (/** @type {{ value: number[] }} */ { value: [x, y, , value] }) =>
        safe(`${panel.x.label} ${shown(panel.x, x)}`) +
        "<br>" +
        safe(`${panel.y.label} ${shown(panel.y, y)}`) +
        (value === undefined ? "" : `<br><b>${safe(`${panel.name} ${number(value)}`)}</b>`),
    },
    visualMap: {
      seriesIndex: 0,
      dimension: 2,
      min: panel.low,
      max: panel.high,
      calculable: true,
      right: 4,
      top: 40,
      itemHeight: 300,
      itemWidth: 14,
      formatter: number,
      textStyle: { color: grey, fontSize: 13 },
      inRange: { color: panel.colors },
    },
    xAxis: axis({ ...range(xs), ...panel.x }, false),
    yAxis: axis({ ...range(ys), ...panel.y }, true),
    series: [
      {
        type: "custom",
        data,
        clip: true,
        z: 1,
        progressive: 0,
        encode: { x: 0, y: 1, tooltip: 3 },
        renderItem(/** @type {unknown} */ _params, /** @type {RenderApi} */ api) {
          const x = api.value(0);
          const y = api.value(1);
          const a = api.coord([x - hx, y + hy]);
          const b = api.coord([x + hx, y - hy]);
          return {
            type: "rect",
            style: { fill: api.visual("color") },
            shape: { x: a[0], y: a[1], width: b[0] - a[0] + 0.6, height: b[1] - a[1] + 0.6 },
          };
        },
      },
      {
        type: "custom",
        data: [[xs[0], ys[0]]],
        clip: true,
        silent: true,
        z: 2,
        renderItem(/** @type {unknown} */ _params, /** @type {RenderApi} */ api) {
          /** @type {object[]} */
          const children = [];
          /** @param {number[]} pieces @param {object} style */
          const trace = (pieces, style) => {
            for (let k = 0; k + 3 < pieces.length; k += 4) {
              const a = api.coord([pieces[k], pieces[k + 1]]);
              const b = api.coord([pieces[k + 2], pieces[k + 3]]);
              children.push({
                type: "line",
                shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] },
                style,
              });
            }
          };
          for (const c of panel.contours) trace(c.pieces, { stroke: panel.contour, lineWidth: 1 });
          trace(panel.boundary, { stroke: "#fff", lineWidth: 4.5 });
          trace(panel.boundary, { stroke: "#d55e00", lineWidth: 2.5 });
          return { type: "group", children };
        },
      },
      {
        type: "scatter",
        data: panel.px.map((x, i) => [x, panel.py[i]]),
        z: 3,
        silent: true,
        symbolSize: panel.px.length + panel.cx.length > 300 ? 3 : 5,
        itemStyle: { color: ink, borderColor: "#fff", borderWidth: 0.7 },
      },
      {
        type: "scatter",
        data: panel.cx.map((x, i) => [x, panel.cy[i]]),
        z: 3,
        silent: true,
        symbolSize: panel.px.length + panel.cx.length > 300 ? 3 : 5,
        itemStyle: { color: "#fff", borderColor: ink, borderWidth: 0.9 },
      },
    ],
  });
}

/** @param {RankingPanel} panel @param {Chart} chart */
function drawRanking(panel, chart) {
  const bars = {
    type: "custom",
    silent: true,
    z: 3,
    clip: true,
    encode: { x: [1, 2], y: 0 },
    data: panel.values.map((_, i) => [i, panel.lower[i], panel.upper[i]]),
    renderItem(/** @type {unknown} */ _params, /** @type {RenderApi} */ api) {
      const a = api.coord([api.value(1), api.value(0)]);
      const b = api.coord([api.value(2), api.value(0)]);
      return {
        type: "line",
        shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] },
        style: { stroke: panel.color, lineWidth: 2, opacity: panel.share ? 1 : 0.5 },
      };
    },
  };
  chart.setOption({
    animation: false,
    aria: { enabled: true },
    textStyle: font,
    grid: { left: 16, right: 36, top: 40, bottom: 48, containLabel: true },
    toolbox: { right: 12, feature: { saveAsImage: { title: "Save as an image" } } },
    tooltip: {
      confine: true,
      formatter: (/** @type {{ value: number[] }} */ item) => {
        const i = item.value[1];
        return (
          safe(panel.names[i]) +
          "<br><b>" +
          number(item.value[0]) +
          "</b>" +
          (panel.upper[i] > panel.lower[i]
            ? " (" + number(panel.lower[i]) + " to " + number(panel.upper[i]) + ")"
            : "") +
          (panel.words.length ? "<br>" + safe(panel.words[i]) : "")
        );
      },
    },
    xAxis: axis(panel.x, false),
    yAxis: {
      type: "category",
      data: panel.names,
      inverse: true,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: grid } },
      axisLabel: { color: ink, fontSize: 13, width: 260, overflow: "truncate" },
    },
    series: [
      bars,
      panel.share
        ? {
            type: "bar",
            z: 2,
            barWidth: 18,
            itemStyle: { color: panel.color, opacity: 0.35 },
            data: panel.values.map((v, i) => [v, i]),
          }
        : {
            type: "scatter",
            z: 2,
            symbolSize: 12,
            itemStyle: { color: panel.color },
            data: panel.values.map((v, i) => [v, i]),
          },
    ],
  });
}

/** @type {Chart[]} */
const charts = [];
for (const panel of panels) {
  const section = element("section", main);
  if (several && panel.kind !== "head") section.className = "half";
  if (panel.title) {
    const head = element("header", several && panel.kind === "plot" ? section : main);
    element(several && panel.kind === "plot" ? "h2" : "h1", head, panel.title);
    if (panel.subtitle) element("p", head, panel.subtitle);
    if (head.parentNode === main) main.insertBefore(head, section);
  }
  if (panel.kind === "head") {
    section.remove();
    continue;
  }
  const place = element("div", section);
  place.className = "chart";
  if (panel.kind === "ranking") place.style.height = 110 + 44 * panel.names.length + "px";
  const chart = echarts.init(place);
  if (panel.kind === "plot") drawPlot(panel, chart);
  else if (panel.kind === "heat") drawHeat(panel, chart);
  else drawRanking(panel, chart);
  charts.push(chart);
}
window.addEventListener("resize", () => charts.forEach((c) => c.resize()));
