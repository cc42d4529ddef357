// Two coordinates on the set and in the dual, three as a ternary plot.
import * as Plot from "@observablehq/plot";
import { type Coordinate, type DrawsData, type Packed, short, unpacked } from "./draws_data";
import type { Shown } from "./draws_coordinate";
import { chainColour, type Drawn, ink, plot } from "./draws_plot";

interface Point {
  x: number;
  y: number;
  divergent: boolean;
  chain: number;
}

const size = (width: number): number => Math.min(width, 420);

function points(data: DrawsData, xs: number[], ys: number[]): Point[] {
  const divergent = new Set(data.points.divergent);
  return xs
    .map((x, i) => ({ x, y: ys[i] ?? NaN, divergent: divergent.has(i), chain: data.points.chain[i] ?? 1 }))
    .filter((p) => Number.isFinite(p.x) && Number.isFinite(p.y));
}

function marks(data: DrawsData, all: Point[]): Plot.Markish[] {
  const colour = (p: Point): string => (data.chains <= 6 ? chainColour(p.chain - 1) : ink.main);
  return [
    Plot.dot(all.filter((p) => !p.divergent), { x: "x", y: "y", r: 1.7, fill: colour, fillOpacity: 0.55, clip: true }),
    Plot.dot(all.filter((p) => p.divergent), { x: "x", y: "y", r: 4.5, stroke: ink.other, strokeWidth: 2, symbol: "times", clip: true }),
  ];
}

const nothing = (): Shown => ({ caption: ["None of the draws shown here is finite in both coordinates."], make: null });

function described(data: DrawsData, all: Point[]): string {
  const total = data.chains * data.draws;
  const share = all.length < total ? `${all.length.toLocaleString("en")} of ${total.toLocaleString("en")} draws` : "All draws";
  const divergent = all.filter((p) => p.divergent).length;
  return `${share}${data.chains > 1 && data.chains <= 6 ? ", coloured by chain" : ""}.${divergent > 0 ? ` ${divergent} divergent ones are crossed.` : ""}`;
}

type Path = [number, number][];

/** The edge of the set as seen along the other coordinates, and what it is called. */
function edgeOf(data: DrawsData, i: number, j: number): { path: Path; words: string } | null {
  const { outline } = data;
  if (outline.kind === "triangle") {
    return { path: [[0, 0], [1, 0], [0, 1], [0, 0]], words: "The triangle is the edge of the set." };
  }
  if (outline.kind === "circle" && outline.centre && outline.radius) {
    const [a = 0, b = 0] = [outline.centre[i], outline.centre[j]];
    const { radius } = outline;
    const path = Array.from({ length: 181 }, (_, k): [number, number] => {
      const angle = (k * Math.PI) / 90;
      return [a + radius * Math.cos(angle), b + radius * Math.sin(angle)];
    });
    return { path, words: "The circle is the edge of the set." };
  }
  if (outline.kind === "range") {
    const far = 1e300;
    const [l, u] = [outline.lower?.[i] ?? -far, outline.upper?.[i] ?? far];
    const [m, v] = [outline.lower?.[j] ?? -far, outline.upper?.[j] ?? far];
    if ([l, u, m, v].every((b) => Math.abs(b) === far)) return null;
    return { path: [[l, m], [u, m], [u, v], [l, v], [l, m]], words: "Lines are the edges of the set." };
  }
  return null;
}

function extent(values: number[], logarithmic: boolean): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  if (logarithmic) return [low * (low / high) ** 0.04, high * (high / low) ** 0.04];
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - pad, high + pad];
}

/** Does any part of a path lie in a window? */
function crosses(path: Path, [left, right]: [number, number], [low, high]: [number, number]): boolean {
  return path.some(([x0, y0], k) => {
    const [x1, y1] = path[k + 1] ?? [x0, y0];
    // The stretch of the segment between the two limits of each axis, as shares of its length.
    let [from, to] = [0, 1];
    for (const [a, b, min, max] of [[x0, x1, left, right], [y0, y1, low, high]] as const) {
      if (a === b) {
        if (a < min || a > max) return false;
        continue;
      }
      const ends = [(min - a) / (b - a), (max - a) / (b - a)];
      from = Math.max(from, Math.min(...ends));
      to = Math.min(to, Math.max(...ends));
    }
    return from <= to;
  });
}

export interface PairView {
  whole: boolean; // the whole set, or just where the draws are
  logarithmic: boolean;
}

export function primalPair(data: DrawsData, i: number, j: number, view: PairView): Shown {
  const [a, b] = [data.coordinates[i] as Coordinate, data.coordinates[j] as Coordinate];
  const all = points(data, unpacked(a.points, a), unpacked(b.points, b));
  if (all.length === 0) return nothing();
  const logX = view.logarithmic && a.log_histogram !== undefined;
  const logY = view.logarithmic && b.log_histogram !== undefined;
  const edge = logX || logY ? null : edgeOf(data, i, j);
  const bounded = edge !== null && edge.path.every(([x, y]) => Math.abs(x) < 1e299 && Math.abs(y) < 1e299);
  const seen = (k: 0 | 1, values: number[], log: boolean): [number, number] =>
    view.whole && bounded && edge ? extent([...values, ...edge.path.map((p) => p[k])], false) : extent(values, log);
  const x = seen(0, all.map((p) => p.x), logX);
  const y = seen(1, all.map((p) => p.y), logY);
  // Beyond the frame nothing is drawn, and far beyond nothing can be.
  const near = (v: number, [low, high]: [number, number]): number => Math.max(low - 3 * (high - low), Math.min(high + 3 * (high - low), v));
  const inView = edge !== null && crosses(edge.path, x, y);
  const inside = ([low, high]: [number, number], v: number): boolean => v >= low && v <= high;
  const allInView = edge !== null && edge.path.every(([u, v]) => inside(x, u) && inside(y, v));
  const words = edge === null ? "" : inView ? ` ${edge.words}` : " The edge of the set is out of view.";
  return {
    caption: [described(data, all), words, inView && !allInView && bounded ? " Only the part of the set that holds the draws is shown." : ""],
    make: (width): Drawn =>
      plot(`Pairs of ${a.name} and ${b.name} on the set. ${described(data, all)}`, {
        width: size(width),
        height: size(width) - 12, // margins apart, a square
        marginLeft: 64,
        x: { label: a.name, domain: x, type: logX ? "log" : "linear", ticks: 5, ...(logX ? { tickFormat: (v: number) => short(v) } : {}) },
        y: { label: b.name, domain: y, type: logY ? "log" : "linear", ticks: 5, ...(logY ? { tickFormat: (v: number) => short(v) } : {}) },
        marks: [
          ...marks(data, all),
          edge === null
            ? null
            : Plot.line(
                data.outline.kind === "range" ? edge.path.map(([u, v]): [number, number] => [near(u, x), near(v, y)]) : edge.path,
                { x: "0", y: "1", stroke: ink.text, strokeWidth: 1.25, clip: true },
              ),
        ],
      }),
  };
}

export function dualPair(data: DrawsData, i: number, j: number): Shown {
  const { dual } = data;
  if (!dual) {
    return { caption: ["The draws come without their dual coordinates: write them with tain sample -o FILE.nc to see them here."], make: null };
  }
  const [a, b] = [dual.coordinates[i], dual.coordinates[j]];
  if (!a || !b) {
    return { caption: [`${dual.skipped ?? "One of them"} is what the others are measured against in the dual, and has no coordinate of its own there: choose another.`], make: null };
  }
  const read = (c: Packed & { points: string }): number[] => unpacked(c.points, c);
  const all = points(data, read(a), read(b));
  if (all.length === 0) return nothing();
  return {
    caption: [`The same draws in ${dual.what}: no edge to run into. ${described(data, all)}`],
    make: (width): Drawn =>
      plot(`Pairs of ${a.name} and ${b.name} in the dual. ${described(data, all)}`, {
        width: size(width),
        height: size(width) - 12, // margins apart, a square
        marginLeft: 64,
        x: { label: a.name, domain: extent(all.map((p) => p.x), false), ticks: 5 },
        y: { label: b.name, domain: extent(all.map((p) => p.y), false), ticks: 5 },
        marks: marks(data, all),
      }),
  };
}

const height = Math.sqrt(3) / 2;
/** Corners left, right and above. */
const place = (a: number, b: number, c: number): { x: number; y: number } => ({ x: (b + c / 2) / (a + b + c), y: (c * height) / (a + b + c) });

type Triple = [number[], number[], number[]];

/** The draws of three coordinates, and the geometric means of their shares. */
function parts(data: DrawsData, positions: number[]): { names: string[]; shares: Triple; means: number[] } {
  const chosen = positions.map((n) => data.coordinates[n] as Coordinate);
  const values = chosen.map((c) => unpacked(c.points, c)) as Triple;
  const sums = values[0].map((_, n) => values.reduce((sum, own) => sum + (own[n] ?? NaN), 0));
  const shares = values.map((own) => own.map((v, n) => v / (sums[n] ?? NaN))) as Triple;
  const means = shares.map((own) => {
    const logs = own.filter((v) => v > 0).map(Math.log);
    return Math.exp(logs.reduce((sum, v) => sum + v, 0) / logs.length);
  });
  return { names: chosen.map((c) => c.name), shares, means };
}

/** Would nearly all draws lie at one corner or side? */
export function isCornered(data: DrawsData, ...positions: number[]): boolean {
  return parts(data, positions).means.some((mean) => mean < 0.02);
}

/**
 * Centred (Aitchison 1986; von Eynatten et al. 2002): every share is divided by its geometric mean and the three are
 * scaled to 1 again, which puts the middle of the cloud into the middle and leaves straight lines straight.
 */
export function ternary(data: DrawsData, i: number, j: number, k: number, centred: boolean): Shown {
  const { names, shares, means } = parts(data, [i, j, k]);
  const [a = "", b = "", c = ""] = names;
  const weight = (part: number): number => (centred ? 1 / (means[part] ?? 1) : 1);
  const at = shares[0].map((_, n) => place(...([0, 1, 2].map((part) => (shares[part as 0 | 1 | 2][n] ?? NaN) * weight(part)) as [number, number, number])));
  const all = points(data, at.map((p) => p.x), at.map((p) => p.y));
  if (all.length === 0) return nothing();
  const lines = [0.2, 0.4, 0.6, 0.8].flatMap((t) =>
    [
      [place(t, 1 - t, 0), place(t, 0, 1 - t)],
      [place(1 - t, t, 0), place(0, t, 1 - t)],
      [place(1 - t, 0, t), place(0, 1 - t, t)],
    ].map(([from, to]) => ({ x1: from?.x, y1: from?.y, x2: to?.x, y2: to?.y })),
  );
  const others = data.dimension - 3;
  const left = others > 0 ? `; the other ${others === 1 ? "category is" : `${others.toLocaleString("en")} are`} left out and the three scaled to 1` : "";
  const scale = centred
    ? ` Each is first divided by its geometric mean (${means.map((mean) => short(mean, 2)).join(", ")}), which moves the cloud from the edge to the middle.`
    : " Lines are 20 % apart.";
  const corners = [
    { ...place(1, 0, 0), name: a, anchor: "start", dy: 16 },
    { ...place(0, 1, 0), name: b, anchor: "end", dy: 16 },
    { ...place(0, 0, 1), name: c, anchor: "middle", dy: -12 },
  ];
  return {
    caption: [`Shares of ${a}, ${b} and ${c} in their sum${left}. A corner is all of one, the side opposite none of it.${scale} ${described(data, all)}`],
    make: (width): Drawn =>
      plot(`Ternary plot of ${a}, ${b} and ${c}. ${described(data, all)}`, {
        width: size(width),
        height: size(width) * height + 34,
        marginTop: 28,
        marginBottom: 26,
        marginLeft: 16,
        marginRight: 16,
        grid: false,
        x: { axis: null, domain: [0, 1] },
        y: { axis: null, domain: [0, height] },
        marks: [
          centred ? null : Plot.link(lines, { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: ink.band }),
          ...marks(data, all),
          Plot.line([...corners, corners[0]], { x: "x", y: "y", stroke: ink.text, strokeWidth: 1.25 }),
          ...corners.map((corner) => Plot.text([corner], { x: "x", y: "y", text: "name", dy: corner.dy, textAnchor: corner.anchor as "start" | "middle" | "end", fill: ink.text })),
        ],
      }),
  };
}
