"use strict";
// Draws `panels`, which the program has written above, with ECharts.

const ink = "#222", grey = "#5f6368", line = "#9aa0a6", grid = "#e8eaed";
const font = { fontFamily: "Roboto, Inter, 'Helvetica Neue', Arial, sans-serif" };
const several = panels.filter(p => p.kind !== "head").length > 1;
const main = document.getElementById("panels");

function element(name, parent, text) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  parent.appendChild(e);
  return e;
}

function number(v) {
  if (v === null || v === undefined) return "–";
  const a = Math.abs(v);
  return a !== 0 && (a < 1e-4 || a >= 1e7) ? v.toExponential(3) : String(Number(v.toPrecision(5)));
}

function date(v) {
  const t = new Date(v).toISOString();
  return t.endsWith("T00:00:00.000Z") ? t.slice(0, 10) : t.slice(0, 16).replace("T", " ");
}

const words = axis => axis.words && axis.words.length > 0;
const shown = (axis, v) => axis.time ? date(v) : words(axis) ? axis.words[v] || "" : number(v);

// A label in a tooltip: names come from tables and are never markup.
function safe(text) {
  const e = document.createElement("span");
  e.textContent = text;
  return e.innerHTML;
}

// Whether the end of an axis is worth a label.
const round = (v, a) => !a.time && v !== undefined && v === Number(v.toPrecision(2));

function axis(a, vertical) {
  return {
    type: words(a) ? "category" : a.time ? "time" : a.log ? "log" : "value",
    data: words(a) ? a.words : undefined,
    name: a.label, nameLocation: "middle", nameGap: vertical ? 52 : 32,
    nameTextStyle: { color: ink, fontSize: 14 },
    axisLabel: {
      color: grey, fontSize: 13, hideOverlap: true, showMinLabel: words(a) || round(a.low, a), showMaxLabel: words(a) || round(a.high, a),
      formatter: a.time ? null : words(a) ? null : number
    },
    axisLine: { show: !vertical, onZero: false, lineStyle: { color: line } },
    axisTick: { show: !vertical }, splitLine: { show: true, lineStyle: { color: grid } },
    min: a.low, max: a.high, scale: true
  };
}

function nearest(x, v) {
  let best = 0;
  for (let i = 1; i < x.length; i++) if (Math.abs(x[i] - v) < Math.abs(x[best] - v)) best = i;
  return best;
}

function band(layer) {
  return {
    type: "custom", name: layer.name, clip: true, silent: true, z: 1,
    itemStyle: { color: layer.color },
    data: layer.x.length ? [[layer.x[0], layer.y[0]], [layer.x[layer.x.length - 1], layer.upper[0]]] : [],
    renderItem(params, api) {
      if (params.dataIndexInside !== 0) return null;
      const points = [];
      const keep = i => layer.y[i] !== null && layer.upper[i] !== null;
      for (let i = 0; i < layer.x.length; i++)
        if (keep(i)) points.push(api.coord([layer.x[i], layer.y[i]]));
      for (let i = layer.x.length - 1; i >= 0; i--)
        if (keep(i)) points.push(api.coord([layer.x[i], layer.upper[i]]));
      return { type: "polygon", shape: { points }, style: { fill: layer.color } };
    }
  };
}

function series(layer) {
  if (layer.kind === "band" || layer.kind === "heap") return band(layer);
  const data = layer.x.map((x, i) => [x, layer.y[i]]);
  if (layer.kind === "points")
    return {
      type: "scatter", name: layer.name, data, z: 4, symbolSize: data.length > 2000 ? 3 : data.length > 12 ? 6 : 9,
      large: data.length > 5000,
      itemStyle: layer.filled
        ? { color: layer.color }
        : { color: "#fff", borderColor: layer.color, borderWidth: 1.5 }
    };
  return {
    type: "line", name: layer.name, data, symbol: "none", z: layer.kind === "draw" ? 2 : 3,
    itemStyle: { color: layer.color },
    lineStyle: { color: layer.color, width: layer.width, type: layer.dashed ? "dashed" : "solid" },
    emphasis: { disabled: true }
  };
}

// What every layer says near x.
function tip(panel, v) {
  const rows = ["<b>" + safe(panel.x.label + " " + shown(panel.x, v)) + "</b>"];
  for (const l of panel.layers) {
    if (l.kind === "draw" || l.kind === "heap" || !l.x.length) continue;
    const i = nearest(l.x, v);
    if (l.kind === "points" && Math.abs(l.x[i] - v) > panel.span / 200) continue;
    const text = l.kind === "band"
      ? number(l.y[i]) + " to " + number(l.upper[i])
      : (l.kind === "points" && l.x[i] !== v ? shown(panel.x, l.x[i]) + ": " : "") + number(l.y[i]);
    rows.push("<span style='color:" + l.color + "'>■</span> " + safe(l.name + "  " + text));
  }
  return rows.join("<br>");
}

function drawPlot(panel, chart) {
  const all = panel.layers.flatMap(l => l.x);
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  panel.span = high - low;
  const range = panel.span > 0 && !panel.x.log && !words(panel.x) ? { low, high } : {};
  const list = panel.layers.map(series);
  if (panel.boundaries.length && list.length)
    list[list.length - 1].markLine = {
      symbol: "none", silent: true, lineStyle: { color: grey, type: "dashed" },
      data: panel.boundaries.map(b => ({ xAxis: b.x, label: { formatter: b.label, color: grey } }))
    };
  chart.setOption({
    useUTC: true, animation: false, aria: { enabled: true },
    textStyle: font,
    grid: { left: 76, right: 28, top: 44, bottom: 92 },
    legend: {
      top: 4, left: 8, textStyle: { color: ink, fontSize: 13 },
      data: [...new Set(panel.layers.map(l => l.name).filter(n => n))]
    },
    toolbox: {
      right: 12, feature: { dataZoom: { title: { zoom: "zoom", back: "zoom back" } },
        restore: { title: "reset" }, saveAsImage: { title: "save" } }
    },
    tooltip: {
      trigger: "axis", axisPointer: { type: "line" }, confine: true,
      formatter: items => !items.length ? ""
        : tip(panel, words(panel.x) ? panel.x.words.indexOf(items[0].axisValue) : items[0].axisValue)
    },
    dataZoom: [
      { type: "inside", filterMode: "none" },
      { type: "slider", filterMode: "none", height: 20, bottom: 12, labelFormatter: v => shown(panel.x, v) }
    ],
    xAxis: axis({ ...panel.x, ...range }, false), yAxis: axis(panel.y, true), series: list
  });
}

function drawHeat(panel, chart) {
  const xs = panel.x.at, ys = panel.y.at, data = [];
  xs.forEach((x, i) => ys.forEach((y, j) => {
    const value = panel.values[i * ys.length + j];
    // what lies beyond the ends of the bar has their colours
    if (value !== null) data.push([x, y, Math.min(Math.max(value, panel.low), panel.high), value]);
  }));
  const half = at => (at[at.length - 1] - at[0]) / (at.length - 1) / 2;
  const hx = half(xs), hy = half(ys);
  const range = at => ({ low: at[0], high: at[at.length - 1] });
  chart.setOption({
    useUTC: true, animation: false, aria: { enabled: true },
    textStyle: font,
    title: { text: panel.name, left: 8, top: 4, textStyle: { fontSize: 14, fontWeight: 400, color: ink } },
    grid: { left: 76, right: 96, top: 44, bottom: 56, show: !!panel.gap, borderWidth: 0, backgroundColor: panel.gap },
    toolbox: {
      right: 12, feature: { dataZoom: { title: { zoom: "zoom", back: "zoom back" } },
        restore: { title: "reset" }, saveAsImage: { title: "save" } }
    },
    tooltip: {
      confine: true,
      formatter: item => safe(panel.x.label + " " + shown(panel.x, item.value[0])) + "<br>"
        + safe(panel.y.label + " " + shown(panel.y, item.value[1]))
        + (item.value.length > 2 ? "<br><b>" + safe(panel.name + " " + number(item.value[3])) + "</b>" : "")
    },
    visualMap: {
      seriesIndex: 0, dimension: 2, min: panel.low, max: panel.high, calculable: true,
      right: 4, top: 40, itemHeight: 300, itemWidth: 14, formatter: number,
      textStyle: { color: grey, fontSize: 13 }, inRange: { color: panel.colors }
    },
    xAxis: axis({ ...range(xs), ...panel.x }, false),
    yAxis: axis({ ...range(ys), ...panel.y }, true),
    series: [
      {
        type: "custom", data, clip: true, z: 1, progressive: 0, encode: { x: 0, y: 1, tooltip: 3 },
        renderItem(params, api) {
          const x = api.value(0), y = api.value(1);
          const a = api.coord([x - hx, y + hy]), b = api.coord([x + hx, y - hy]);
          return {
            type: "rect", style: { fill: api.visual("color") },
            shape: { x: a[0], y: a[1], width: b[0] - a[0] + 0.6, height: b[1] - a[1] + 0.6 }
          };
        }
      },
      {
        type: "custom", data: [[xs[0], ys[0]]], clip: true, silent: true, z: 2,
        renderItem(params, api) {
          const children = [];
          const trace = (pieces, style) => {
            for (let k = 0; k + 3 < pieces.length; k += 4) {
              const a = api.coord([pieces[k], pieces[k + 1]]);
              const b = api.coord([pieces[k + 2], pieces[k + 3]]);
              children.push({
                type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style
              });
            }
          };
          for (const c of panel.contours) trace(c.pieces, { stroke: panel.contour, lineWidth: 1 });
          trace(panel.boundary, { stroke: "#fff", lineWidth: 4.5 });
          trace(panel.boundary, { stroke: "#d55e00", lineWidth: 2.5 });
          return { type: "group", children };
        }
      },
      {
        type: "scatter", data: panel.px.map((x, i) => [x, panel.py[i]]), z: 3, silent: true,
        symbolSize: panel.px.length + panel.cx.length > 300 ? 3 : 5,
        itemStyle: { color: ink, borderColor: "#fff", borderWidth: 0.7 }
      },
      {
        type: "scatter", data: panel.cx.map((x, i) => [x, panel.cy[i]]), z: 3, silent: true,
        symbolSize: panel.px.length + panel.cx.length > 300 ? 3 : 5,
        itemStyle: { color: "#fff", borderColor: ink, borderWidth: 0.9 }
      }
    ]
  });
}

function drawRanking(panel, chart) {
  const bars = {
    type: "custom", silent: true, z: 3, clip: true, encode: { x: [1, 2], y: 0 },
    data: panel.values.map((v, i) => [i, panel.lower[i], panel.upper[i]]),
    renderItem(params, api) {
      const a = api.coord([api.value(1), api.value(0)]), b = api.coord([api.value(2), api.value(0)]);
      return {
        type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] },
        style: { stroke: panel.color, lineWidth: 2, opacity: panel.share ? 1 : 0.5 }
      };
    }
  };
  chart.setOption({
    animation: false, aria: { enabled: true }, textStyle: font,
    grid: { left: 16, right: 36, top: 40, bottom: 48, containLabel: true },
    toolbox: { right: 12, feature: { saveAsImage: { title: "save" } } },
    tooltip: {
      confine: true,
      formatter: item => {
        const i = item.value[1];
        return safe(panel.names[i]) + "<br><b>" + number(item.value[0]) + "</b>"
          + (panel.upper[i] > panel.lower[i] ? " (" + number(panel.lower[i]) + " to " + number(panel.upper[i]) + ")" : "")
          + (panel.words.length ? "<br>" + safe(panel.words[i]) : "");
      }
    },
    xAxis: axis(panel.x, false),
    yAxis: {
      type: "category", data: panel.names, inverse: true, axisLine: { show: false },
      axisTick: { show: false }, splitLine: { show: true, lineStyle: { color: grid } },
      axisLabel: { color: ink, fontSize: 13, width: 260, overflow: "truncate" }
    },
    series: [bars, panel.share
      ? { type: "bar", z: 2, barWidth: 18, itemStyle: { color: panel.color, opacity: 0.35 }, data: panel.values.map((v, i) => [v, i]) }
      : { type: "scatter", z: 2, symbolSize: 12, itemStyle: { color: panel.color }, data: panel.values.map((v, i) => [v, i]) }]
  });
}

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
  ({ heat: drawHeat, plot: drawPlot, ranking: drawRanking })[panel.kind](panel, chart);
  charts.push(chart);
}
window.addEventListener("resize", () => charts.forEach(c => c.resize()));
