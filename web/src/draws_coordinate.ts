// The four plots of one coordinate: ranks, traces, autocorrelation, histogram.
import * as Plot from "@observablehq/plot";
import { element } from "./element";
import { type Coordinate, type DrawsData, agree, floats, ordinal, placeText, short, unpacked, whole } from "./draws_data";
import { chainColour, chainKey, type Drawn, ink, plot } from "./draws_plot";

export interface Shown {
  caption: (Node | string)[];
  make: ((width: number) => Drawn) | null;
}
const inWords = (...caption: (Node | string)[]): Shown => ({ caption, make: null });

/** Why a coordinate has no plots, in words; empty if it has. */
export function whyNot(data: DrawsData, c: Coordinate): string {
  if (c.broken) {
    const { count, chain, draw } = c.broken;
    return `${count === 1 ? "One value is" : `${count.toLocaleString("en")} values are`} not finite, the first in chain ${chain}, draw ${draw}: the run broke down there.`;
  }
  if (c.sd === 0) return `Every draw is ${short(c.mean)}: there is nothing to plot.`;
  return c.trace ? "" : `${data.draws} draws are too few to plot.`;
}

export type RankView = "histogram" | "ecdf";

export function ranks(data: DrawsData, c: Coordinate, view: RankView): Shown {
  if (data.chains < 2) {
    return inWords("One chain has nobody to be compared with: run at least four (--chains 4) to see whether they agree.");
  }
  if (view === "histogram" && c.ranks) return rankHistograms(data, c, c.ranks);
  if (c.ecdf) return rankEcdf(data, c, c.ecdf);
  return c.ranks
    ? rankHistograms(data, c, c.ranks)
    : inWords("Too few independent draws for ranks: the chains move too slowly, or are too short.");
}

function rankHistograms(data: DrawsData, c: Coordinate, r: NonNullable<Coordinate["ranks"]>): Shown {
  const { bins, expected, sd, counts } = r;
  const top = Math.max(...counts) * 1.02;
  const low = Math.max(0, expected - 2 * sd);
  const beyond = counts.filter((n) => Math.abs(n - expected) > 2 * sd).length;
  // With less, counts tell nothing about chains that one could not say better in words.
  const effective = Math.floor(Math.min(c.ess_bulk ?? 0, c.ess_tail ?? 0));
  const enough = effective >= 50;
  const band = enough ? ` The grey band holds about 95 % of the bars${beyond === 0 ? "." : `; ${beyond} of ${counts.length} end outside.`}` : ` All draws amount to ${effective} independent ones at most: too few to tell whether these differ by chance.`;
  const chainPlot = (chain: number, width: number): Drawn => {
    const own = counts.slice(chain * bins, (chain + 1) * bins);
    return plot(`Ranks of chain ${chain + 1}: between ${Math.min(...own)} and ${Math.max(...own)} draws in a bin, ${short(expected)} expected.`, {
      width,
      height: 104,
      marginTop: 20,
      marginLeft: 36,
      marginBottom: 18,
      grid: false,
      x: { domain: [0, 1], ticks: [], label: null },
      y: { domain: [0, top], ticks: 3, label: null },
      marks: [
        enough ? Plot.rectY([0], { x1: 0, x2: 1, y1: low, y2: expected + 2 * sd, fill: ink.band }) : null,
        Plot.rectY(own, {
          x1: (_: number, i: number) => i / bins,
          x2: (_: number, i: number) => (i + 1) / bins,
          y1: 0,
          y2: (n: number) => n,
          fill: chainColour(chain),
          fillOpacity: 0.75,
          insetLeft: 0.5,
          insetRight: 0.5,
        }),
        Plot.ruleY([expected], { stroke: ink.text, strokeDasharray: "3,3" }),
        Plot.text([`chain ${chain + 1}`], { frameAnchor: "top-left", dy: -16, fill: ink.text }),
      ],
    });
  };
  return {
    caption: [
      `Where the draws of each chain rank among all, in ${bins} bins from lowest to highest. Chains that agree are as flat as the dashed line (${short(expected)} draws a bin).${band}`,
    ],
    make: (width) => {
      const columns = width < 340 ? 1 : width > 700 ? 4 : 2;
      const own = Math.floor((width - 12 * (columns - 1)) / columns);
      return element(
        "div",
        { class: "draws-multiples", style: `grid-template-columns:repeat(${columns},${own}px)` },
        ...Array.from({ length: data.chains }, (_, chain) => chainPlot(chain, own)),
      );
    },
  };
}

function rankEcdf(data: DrawsData, c: Coordinate, e: NonNullable<Coordinate["ecdf"]>): Shown {
  const points = e.low.length;
  const values = floats(e.lines);
  const at = (k: number): number => (100 * (k + 1)) / (points + 1);
  const few = e.chains.length <= 6 && e.chains.length === data.chains;
  const leaves = (chain: number): boolean =>
    e.low.some((low, k) => {
      const v = values[chain * points + k] ?? 0;
      return v < low - 1e-6 || v > (e.high[k] ?? 0) + 1e-6;
    });
  const outside = e.chains.map((_, chain) => leaves(chain));
  const verdict =
    e.outside === 0
      ? `All ${whole(data.chains)} chains stay inside.`
      : `${whole(e.outside)} of ${whole(data.chains)} chains ${e.outside === 1 ? "leaves" : "leave"} it${agree(c, data.gates) ? `, though ${c.nested_rhat === undefined ? "R-hat" : "nested R-hat"} sees no difference` : ": they disagree"}.`;
  const stroke = (chain: number): string => (few ? chainColour(chain) : outside[chain] ? ink.other : ink.axis);
  return {
    caption: [
      "Share of each chain's draws below the lowest 10 %, 20 %, … of all draws, less that percentage. ",
      `Chains that agree stay in the band, all of them together in 95 of 100 runs. ${verdict} `,
      e.stride > 1 ? `Every ${ordinal(e.stride)} draw, so that they are nearly independent. ` : "",
      e.chains.length < data.chains ? `Shown are the ${e.chains.length} chains that depart most. ` : "",
      few ? chainKey(e.chains) : "",
    ],
    make: (width) =>
      plot(`Rank ECDF differences of ${c.name}. ${verdict}`, {
        width,
        height: Math.min(320, Math.max(220, width * 0.55)),
        x: { domain: [0, 100], label: "rank among all draws, %" },
        y: { label: "departure", tickFormat: "+.2~f" },
        marks: [
          Plot.areaY(e.low, { x: (_: number, k: number) => at(k), y1: (low: number) => low, y2: (_: number, k: number) => e.high[k], fill: ink.band }),
          Plot.ruleY([0], { stroke: ink.axis }),
          ...e.chains.map((_, chain) =>
            Plot.line(values.slice(chain * points, (chain + 1) * points), {
              x: (_: number, k: number) => at(k),
              y: (v: number) => v,
              stroke: stroke(chain),
              strokeWidth: outside[chain] ? 2 : 1.25,
            }),
          ),
        ],
      }),
  };
}

export function traces(data: DrawsData, c: Coordinate, logarithmic: boolean): Shown {
  const t = c.trace;
  if (!t) return inWords(whyNot(data, c));
  const low = unpacked(t.low, c);
  const high = t.high === undefined ? null : unpacked(t.high, c);
  const buckets = low.length / t.chains.length;
  // Least and largest value of every stretch in turn: what a line through all draws would look like.
  const line = (chain: number): { draw: number; value: number }[] =>
    Array.from({ length: buckets }, (_, k) => {
      const draw = k * t.width + 1;
      const i = chain * buckets + k;
      const first = { draw, value: low[i] ?? NaN };
      return high === null ? [first] : [first, { draw: draw + t.width / 2, value: high[i] ?? NaN }];
    }).flat();
  const thin = high === null ? "" : ` Of every ${t.width} draws the least and the largest are shown.`;
  return {
    caption: [
      `Draw after draw, one colour per chain: all should wander over the same range.${thin} `,
      t.chains.length < data.chains ? `Shown are the ${t.chains.length} of ${whole(data.chains)} chains that depart most. ` : "",
      data.chains > 1 ? chainKey(t.chains) : "",
    ],
    make: (width) =>
      plot(`Traces of ${c.name}, ${t.chains.length} chains, between ${short(Math.min(...low))} and ${short(Math.max(...(high ?? low)))}.`, {
        width,
        height: Math.min(320, Math.max(220, width * 0.55)),
        marginLeft: 64,
        x: { label: "draw", domain: [1, Math.max(2, data.draws)] },
        y: { label: c.name, type: logarithmic ? "log" : "linear", nice: true, ticks: 5, ...(logarithmic ? { tickFormat: short } : {}) },
        marks: t.chains.map((_, chain) =>
          Plot.lineY(line(chain), { x: "draw", y: "value", stroke: chainColour(chain), strokeWidth: 0.9, strokeOpacity: 0.85 }),
        ),
      }),
  };
}

export function autocorrelation(data: DrawsData, c: Coordinate): Shown {
  const a = c.autocorrelation;
  if (!a) return inWords("Fewer than 8 draws per chain tell nothing about autocorrelation.");
  const mean = a.mean.map((v) => v ?? 0);
  const lags = mean.length - 1;
  const noise = 1.96 / Math.sqrt(data.chains * data.draws);
  const limit = Math.max(0.05, noise);
  const gone = 1 + mean.reduce((last, v, k) => (Math.abs(v) > limit ? k : last), 0);
  const words =
    gone > lags ? `Not yet below ${short(limit, 1)} after ${lags} draws: the chains move slowly.` : gone === 1 ? "Neighbouring draws are nearly independent." : `Below ${short(limit, 1)} from lag ${gone} on.`;
  return {
    caption: [
      `How much a draw still resembles the one so many draws before. ${words} `,
      a.low ? "The band holds nine of ten chains; dashed: what independent draws would give." : "Dashed: what independent draws would give.",
    ],
    make: (width) =>
      plot(`Autocorrelation of ${c.name}: ${short(mean[1], 2)} at lag 1. ${words}`, {
        width,
        height: Math.min(320, Math.max(200, width * 0.5)),
        x: { label: "lag in draws", domain: [0, lags + 0.5] },
        y: { label: "autocorrelation", domain: [Math.min(-0.1, ...mean, ...(a.low ?? [])), 1] },
        marks: [
          a.low && a.high ? Plot.areaY(a.low, { x: (_: number, k: number) => k, y1: (v: number) => v, y2: (_: number, k: number) => a.high?.[k], fill: ink.band }) : null,
          Plot.ruleY([noise, -noise], { stroke: ink.axis, strokeDasharray: "3,3" }),
          Plot.ruleY([0], { stroke: ink.axis }),
          Plot.ruleX(mean, { x: (_: number, k: number) => k, y1: 0, y2: (v: number) => v, stroke: ink.main, strokeWidth: Math.min(5, Math.max(1.5, (width - 70) / lags / 2)) }),
        ],
      }),
  };
}

export function histogram(data: DrawsData, c: Coordinate, logarithmic: boolean): Shown {
  const h = logarithmic ? (c.log_histogram ?? c.histogram) : c.histogram;
  if (!h) return inWords(whyNot(data, c));
  const onLog = logarithmic && c.log_histogram !== undefined;
  const bins = h.share.length;
  const edge = (k: number): number => {
    const at = h.low + (k * (h.high - h.low)) / bins;
    return onLog ? 10 ** at : at;
  };
  const middle = (k: number): number => (onLog ? Math.sqrt(edge(k) * edge(k + 1)) : (edge(k) + edge(k + 1)) / 2);
  const quantiles = [c.q5, c.q50, c.q95].filter((v): v is number => v !== null && (!onLog || v > 0));
  const effective = Math.min(c.ess_bulk ?? 1, c.ess_tail ?? 1);
  // Of so many independent exact draws, on average: the mean absolute deviation of normal counts.
  const noise = (h.exact ?? []).reduce((sum, p) => sum + Math.sqrt((p * (1 - p)) / (2 * Math.PI * effective)), 0);
  const distance = h.exact ? h.share.reduce((sum, p, k) => sum + Math.abs(p - (h.exact?.[k] ?? 0)), 0) / 2 : null;
  return {
    caption: [
      `All ${whole(data.chains * data.draws)} draws. Mean ${placeText(c.mean, c.sd)} (line), 5 %, 50 % and 95 % quantiles ${quantiles.map((v) => placeText(v, c.sd)).join(", ")} (dashed).`,
      distance === null ? "" : ` Dots: the exact marginal distribution; in total variation over these bins the draws are ${short(distance, 2)} away${effective < 50 ? "" : `, as many independent exact ones would be about ${short(noise, 2)}`}.`,
    ],
    make: (width) =>
      plot(`Histogram of ${c.name}: mean ${placeText(c.mean, c.sd)}, nine of ten draws between ${placeText(c.q5, c.sd)} and ${placeText(c.q95, c.sd)}.`, {
        width,
        height: Math.min(320, Math.max(200, width * 0.5)),
        x: { label: c.name, type: onLog ? "log" : "linear", ticks: Math.max(3, Math.floor(width / 90)), ...(onLog ? { tickFormat: short } : {}) },
        y: { label: "share of draws", ticks: 5 },
        marks: [
          Plot.rectY(h.share, { x1: (_: number, k: number) => edge(k), x2: (_: number, k: number) => edge(k + 1), y: (v: number) => v, fill: ink.main, fillOpacity: 0.55, insetLeft: 0.5, insetRight: 0.5 }),
          Plot.ruleX(quantiles, { stroke: ink.text, strokeDasharray: "3,3" }),
          c.mean !== null && (!onLog || c.mean > 0) ? Plot.ruleX([c.mean], { stroke: ink.text, strokeWidth: 1.5 }) : null,
          h.exact ? Plot.line(h.exact, { x: (_: number, k: number) => middle(k), y: (v: number) => v, stroke: ink.exact, strokeWidth: 1.25, marker: "circle-fill" }) : null,
          Plot.ruleY([0], { stroke: ink.axis }),
        ],
      }),
  };
}
