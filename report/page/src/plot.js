// SPDX-License-Identifier: GPL-3.0-or-later
// Plots to hover and zoom, by Apache ECharts. What is plotted comes as the program says it: panels, series, points with intervals.
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, ToolboxComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

echarts.use([LineChart, ScatterChart, BarChart, CustomChart, GridComponent, TooltipComponent, LegendComponent, DataZoomComponent, ToolboxComponent, TitleComponent, AriaComponent, MarkLineComponent, SVGRenderer]);

const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#7a5195"]; // told apart by the colour-blind, on light and dark
const STAR = "path://M0,-4 L1,-1 L4,0 L1,1 L0,4 L-1,1 L-4,0 L-1,-1 Z";
const MARKS = ["circle", "rect", "triangle", "diamond", STAR, "arrow", "roundRect"];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const shown = (x) => (typeof x === "number" ? Number(x.toPrecision(5)).toLocaleString("en", { maximumSignificantDigits: 5 }) : x);

function axis(spec, gridIndex, isX) {
  const line = { lineStyle: { color: color("dim") } };
  return {
    gridIndex,
    type: spec.names ? "category" : spec.log ? "log" : "value",
    data: spec.names,
    name: spec.label,
    nameLocation: isX ? "middle" : "end", // above its axis: numbers of any length have room
    nameGap: isX ? 28 : 10,
    scale: true,
    axisLine: { show: true, ...line },
    axisTick: { show: true },
    axisLabel: { color: color("text"), hideOverlap: true, formatter: spec.names ? undefined : (x) => shown(x) },
    nameTextStyle: { color: color("text"), ...(isX ? {} : { align: "left", padding: [0, 0, 0, -24] }) },
    splitLine: { lineStyle: { color: color("line"), opacity: 0.35 } },
  };
}

/** The bar of an interval, from low to high. */
function interval(series, entry) {
  const bars = entry.points.filter(([, , low, high]) => low < high).map(([x, , low, high]) => [x, low, high]);
  return bars.length === 0
    ? []
    : [
        {
          type: "custom",
          name: series.name,
          xAxisIndex: series.xAxisIndex,
          yAxisIndex: series.yAxisIndex,
          data: bars,
          silent: true,
          tooltip: { show: false },
          encode: { x: 0, y: [1, 2] },
          renderItem: (params, api) => {
            const low = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)]);
            const stroke = { stroke: series.itemStyle.borderColor, lineWidth: 1, opacity: 0.8 };
            const cap = (at) => ({ type: "line", shape: { x1: at[0] - 3, y1: at[1], x2: at[0] + 3, y2: at[1] }, style: stroke });
            return { type: "group", children: [{ type: "line", shape: { x1: low[0], y1: low[1], x2: high[0], y2: high[1] }, style: stroke }, cap(low), cap(high)] };
          },
        },
      ];
}

const LEGEND = 40, PANEL = 330, NARROWEST = 330; // pixels

const panelsOf = (plot) => [...new Set(plot.series.map((one) => one.panel ?? ""))];

/** How many panels stand side by side. */
const across = (plot, width) => Math.max(1, Math.min(panelsOf(plot).length, Math.floor(width / NARROWEST), 4));

function option(plot, space) {
  const panels = panelsOf(plot);
  const names = [...new Set(plot.series.map((one) => one.name ?? ""))];
  const n = across(plot, space);
  const height = panels.length > n ? PANEL * 0.72 : PANEL;
  const left = (i) => ((i % n) * space) / n, top = (i) => Math.floor(i / n) * height;
  const isHollow = (one) => one.published || one.pale;
  const series = plot.series.flatMap((entry) => {
    const at = panels.indexOf(entry.panel ?? "");
    const place = names.indexOf(entry.name ?? "");
    const ink = entry.pale ? color("dim") : COLORS[place % COLORS.length];
    const made = {
      type: entry.joined ? "line" : "scatter",
      name: entry.published ? `${entry.name}, published` : entry.name ?? "",
      xAxisIndex: at,
      yAxisIndex: at,
      data: entry.points.map(([x, y]) => [x, y]),
      symbol: MARKS[place % MARKS.length],
      symbolSize: isHollow(entry) ? 9 : 6,
      step: entry.steps ? "end" : false,
      connectNulls: false,
      lineStyle: { width: 2, color: ink },
      itemStyle: { color: isHollow(entry) ? "transparent" : ink, borderColor: ink, borderWidth: 1.5 },
    };
    return [made, ...interval(made, entry)];
  });
  const zoomed = panels.map((_, i) => i);
  return {
    animation: false,
    aria: { enabled: true, label: { description: describe(plot) } },
    color: COLORS,
    textStyle: { fontFamily: "inherit" },
    tooltip: { trigger: "item", confine: true, formatter: (p) => `${echarts.format.encodeHTML(p.seriesName)}<br>${echarts.format.encodeHTML(plot.x.label ?? "x")}: ${shown(p.value[0])}<br>${echarts.format.encodeHTML(plot.y.label ?? "y")}: <b>${shown(p.value[1])}</b>` },
    legend: { type: "scroll", bottom: 0, textStyle: { color: color("text") } },
    toolbox: { right: 8, feature: { dataZoom: { xAxisIndex: zoomed, yAxisIndex: zoomed, title: { zoom: "zoom into a part", back: "back" } }, restore: { title: "whole" }, saveAsImage: { type: "svg", title: "save as SVG", name: "plot" } }, iconStyle: { borderColor: color("dim") } },
    dataZoom: [{ type: "inside", xAxisIndex: zoomed, filterMode: "none" }, { type: "inside", yAxisIndex: zoomed, filterMode: "none" }],
    title: panels.length > 1 ? panels.map((text, i) => ({ text, left: left(i) + space / n / 2, textAlign: "center", top: top(i) + 2, textStyle: { fontSize: 13, color: color("text") } })) : [],
    grid: panels.map((_, i) => ({ left: left(i) + 22, width: space / n - 48, top: top(i) + 46, height: height - 80, containLabel: true })),
    xAxis: panels.map((_, i) => axis(plot.x, i, true)),
    yAxis: panels.map((_, i) => axis(plot.y, i, false)),
    series,
  };
}

/** The plot in words. */
export function describe(plot) {
  const part = (one) => {
    const ys = one.points.map(([, y]) => y).filter(Number.isFinite);
    return ys.length ? `${one.name ?? "points"}${one.panel ? ` (${one.panel})` : ""}${one.published ? ", published" : ""}: ${one.points.length} points, ${plot.y.label ?? "y"} from ${shown(Math.min(...ys))} to ${shown(Math.max(...ys))}` : "";
  };
  return `Plot of ${plot.y.label ?? "y"} over ${plot.x.label ?? "x"}. ${plot.series.map(part).filter(Boolean).join("; ")}.`;
}

export class Plot {
  constructor(container, plot) {
    this.plot = plot;
    this.container = container;
    container.setAttribute("role", "img");
    container.setAttribute("aria-label", describe(plot));
    this.chart = echarts.init(container, null, { renderer: "svg" });
    this.draw();
    this.width = container.clientWidth;
    this.observer = new ResizeObserver(() => {
      if (container.clientWidth && container.clientWidth !== this.width) {
        this.width = container.clientWidth;
        this.draw();
      }
    });
    this.observer.observe(container);
    Plot.all.add(this);
  }

  draw() {
    const space = this.container.clientWidth || 900;
    const rows = Math.ceil(panelsOf(this.plot).length / across(this.plot, space));
    this.container.style.height = `${rows * (rows > 1 ? PANEL * 0.72 : PANEL) + LEGEND}px`;
    this.chart.resize();
    this.chart.setOption(option(this.plot, space), true);
  }

  close() {
    Plot.all.delete(this);
    this.observer.disconnect();
    this.chart.dispose();
  }

  static all = new Set();
  static recolor() {
    Plot.all.forEach((plot) => (plot.container.isConnected ? plot.draw() : plot.close()));
  }
}
