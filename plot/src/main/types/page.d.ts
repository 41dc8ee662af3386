// What the program writes into a page before its scripts: `panels` for page.js, `map` for map.js.

interface Axis {
  label: string;
  time?: boolean;
  log?: boolean;
  words?: string[];
  low?: number;
  high?: number;
}

interface Layer {
  kind: "band" | "heap" | "line" | "draw" | "points" | "notes";
  name: string;
  color: string;
  x: number[];
  y: (number | null)[];
  upper: (number | null)[];
  width?: number;
  dashed?: boolean;
  filled?: boolean;
  texts?: string[];
}

interface HeadPanel {
  kind: "head";
  title: string;
  subtitle: string;
}

interface PlotPanel {
  kind: "plot";
  title: string;
  subtitle: string;
  x: Axis;
  y: Axis;
  layers: Layer[];
  boundaries: { x: number; label: string }[];
}

interface HeatPanel {
  kind: "heat";
  title: string;
  subtitle: string;
  name: string;
  x: Axis & { at: number[] };
  y: Axis & { at: number[] };
  values: (number | null)[];
  low: number;
  high: number;
  colors: string[];
  contour: string;
  contours: { value: number; pieces: number[] }[];
  boundary: number[];
  gap?: string;
  /** Open and filled dots. */
  cx: number[];
  cy: number[];
  px: number[];
  py: number[];
}

interface RankingPanel {
  kind: "ranking";
  title: string;
  subtitle?: string;
  names: string[];
  x: Axis;
  values: number[];
  lower: number[];
  upper: number[];
  share: boolean;
  words: string[];
  color: string;
}

declare const panels: (HeadPanel | PlotPanel | HeatPanel | RankingPanel)[];

/** What we use of ECharts. */
interface Chart {
  setOption(option: object): void;
  resize(): void;
}

interface RenderApi {
  coord(place: (number | null)[]): [number, number];
  value(dimension: number): number;
  visual(name: string): string;
}

declare const echarts: { init(place: HTMLElement): Chart };

/** Numbers that need all their digits are texts. */
declare const map: {
  title: string;
  subtitle: string;
  x: string;
  y: string;
  frame: {
    west: string;
    north: string;
    dx: string;
    dy: string;
    width: number;
    height: number;
  };
  geographic: boolean;
  metres: number;
  times: string[];
  gap: string;
  quantities: { name: string; low: string; high: string; colors: string[]; data: string[] }[];
  lines: { time: number; level: number; places: number[] }[];
};

/** Numbers that need all their digits are texts. */
interface PackedSeries {
  /** Which of the lists of steps it uses. */
  steps: number;
  first: number;
  count: number;
  shown: number;
  /** The first step and the number of steps of each forecast. */
  fans: [number, number][];
  level: string;
  size: string;
  facts: (number | null)[];
}

interface ScorePanel {
  title: string;
  label: string;
  curves: { name: string; y: (number | null)[]; ours: boolean }[];
}

declare const forecasts: {
  title: string;
  subtitle: string;
  note: string;
  time: string;
  value: string;
  form: string;
  zone: string;
  facts: { name: string; about: string; unit: string }[];
  panels: ScorePanel[];
  table: string[][];
  steps: { first: number; start: string; length: string; places: string }[];
  ids: string[];
  series: PackedSeries[];
  data: string;
};
