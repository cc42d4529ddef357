// The run as a whole: all coordinates at a glance, acceptance, how the step size was found.
import * as Plot from "@observablehq/plot";
import { type DrawsData, short } from "./draws_data";
import type { Shown } from "./draws_coordinate";
import { type Drawn, ink, plot } from "./draws_plot";

type Numbers = (number | null)[];

/** One dot per coordinate; `choose` is told the index of the one that was pointed at. */
function strip(data: DrawsData, values: Numbers, label: string, gate: number, chosen: number, options: Plot.ScaleOptions, choose: (index: number) => void, bad: (v: number) => boolean): (width: number) => Drawn {
  const { width: group } = data.strip;
  const all = values.map((v, k) => ({ index: k * group + 1, value: v })).filter((d): d is { index: number; value: number } => d.value !== null);
  const named = new Map(data.coordinates.map((c) => [c.index, c.name]));
  const nameOf = (index: number): string => (group > 1 ? `coordinates ${index + 1} to ${Math.min(index + group, data.dimension)}` : (named.get(index) ?? `coordinate ${index + 1}`));
  const failing = all.filter((d) => bad(d.value)).length;
  return (width) => {
    const made = plot(`${label} of ${data.dimension} coordinates, ${failing} beyond the gate of ${short(gate)}.`, {
      width,
      height: 132,
      marginBottom: 34,
      x: { label: "coordinate", domain: [0.5, data.dimension + 0.5], ...(data.dimension <= 12 ? { ticks: data.dimension } : {}), tickFormat: "d" },
      y: { label, ticks: 4, ...options },
      marks: [
        Plot.ruleX([chosen + 1], { stroke: ink.main, strokeOpacity: 0.35, strokeWidth: 6 }),
        Plot.ruleY([gate], { stroke: ink.other, strokeDasharray: "4,3" }),
        Plot.dot(all, { tip: { format: { x: false, y: false, fill: false } }, title: (d: { index: number; value: number }) => `${nameOf(d.index - 1)}: ${label} ${short(d.value)}`, x: "index", y: "value", r: all.length > 200 ? 1.8 : 3, fill: (d: { value: number }) => (bad(d.value) ? ink.other : ink.main) }),
      ],
    });
    made.classList.add("draws-pick");
    made.addEventListener("click", (event) => {
      const scale = (made as unknown as Plot.Plot).scale("x");
      const left = (event as MouseEvent).clientX - made.getBoundingClientRect().left;
      if (scale?.invert) choose(Math.round(scale.invert(left) as number) - 1);
    });
    return made;
  };
}

/** A few round numbers of a logarithmic axis: ones and threes, ones only, or every other one. */
function logTicks(low: number, high: number): number[] {
  const powers = Array.from({ length: 10 }, (_, e) => 10 ** e);
  const inside = (v: number): boolean => v >= low && v <= high;
  const both = powers.flatMap((v) => [v, 3 * v]).filter(inside);
  const ones = powers.filter(inside);
  return both.length <= 4 ? both : ones.length <= 4 ? ones : ones.filter((_, k) => k % 2 === 0);
}

export function overview(data: DrawsData, chosen: number, choose: (index: number) => void): { rhat: Shown; ess: Shown } {
  const known = data.strip.rhat.filter((v): v is number => v !== null);
  const ess = data.strip.ess_bulk.map((bulk, k) => (bulk === null ? null : Math.min(bulk, data.strip.ess_tail[k] ?? bulk)));
  const counts = ess.filter((v): v is number => v !== null);
  const { gates, dimension, strip: s } = data;
  const each = s.width > 1 ? ` Each dot is the worst of ${s.width} neighbours.` : "";
  const pick = dimension > 1 ? " Click a dot to see its coordinate." : "";
  if (known.length === 0 || counts.length === 0) {
    const words = "No coordinate has an R-hat or an ESS: the chains are too short, or nothing moves.";
    return { rhat: { caption: [words], make: null }, ess: { caption: [words], make: null } };
  }
  const lowest = Math.max(1, Math.min(gates.ess, ...counts) / 1.4);
  const highest = Math.max(gates.ess, ...counts) * 1.4;
  const nested = s.nested ? " Where the chains are too short for R-hat, nested R-hat is shown: it compares groups of chains that began close together." : "";
  const top = Math.max(gates.rhat + 0.002, ...known);
  const bottom = Math.min(0.999, ...known);
  return {
    rhat: {
      caption: [`Do the chains agree? Dots below the dashed line (${gates.rhat}) do.${nested}${each}${pick}`],
      make: strip(data, s.rhat, "R-hat", gates.rhat, chosen, { domain: [bottom - 0.05 * (top - bottom), top + 0.05 * (top - bottom)] }, choose, (v) => v >= gates.rhat),
    },
    ess: {
      caption: [`How much do the draws tell? Dots above the dashed line (${short(gates.ess)}) are enough; the lower of bulk and tail.${each}`],
      make: strip(data, ess, "ESS", gates.ess, chosen, { type: "log", domain: [lowest, highest], ticks: logTicks(lowest, highest), tickFormat: "~s" }, choose, (v) => v < gates.ess),
    },
  };
}

export function acceptance(data: DrawsData): Shown {
  const a = data.acceptance;
  if (!a) return { caption: ["The draws do not tell how often their steps were accepted."], make: null };
  const biased = a.gate !== undefined && a.indicator !== undefined;
  const words = biased
    ? `The kernel accepts every step and is biased by its step size. What a Metropolis test would have accepted tells how much: ${short(a.indicator, 3)} on average, ${short(a.gate)} (dashed) is asked for.`
    : `Share of steps that the Metropolis test accepts, averaged over all chains: ${short(a.mean.reduce((s, v) => s + v, 0) / a.mean.length, 3)}.`;
  const at = (k: number): number => (k + 0.5) * a.width;
  return {
    caption: [words, data.chains > 1 ? " The band reaches from the lowest to the highest chain." : ""],
    make: (width) =>
      plot(words, {
        width,
        height: Math.min(300, Math.max(200, width * 0.45)),
        x: { label: "draw", domain: [0, data.draws] },
        y: { label: biased ? "bias indicator" : "acceptance", domain: [0, 1] },
        marks: [
          Plot.areaY(a.low, { x: (_: number, k: number) => at(k), y1: (v: number) => v, y2: (_: number, k: number) => a.high[k], fill: ink.band }),
          Plot.line(a.mean, { x: (_: number, k: number) => at(k), y: (v: number) => v, stroke: ink.main, strokeWidth: 1.5 }),
          biased ? Plot.ruleY([a.gate], { stroke: ink.other, strokeDasharray: "4,3" }) : null,
        ],
      }),
  };
}

export function history(data: DrawsData): Shown {
  const h = data.history;
  if (!h && data.given_step_size !== undefined) {
    return { caption: [`The step size was given, not looked for: ${short(data.given_step_size)}.`], make: null };
  }
  if (!h || h.step.length < 2) {
    return { caption: ["No history of step sizes: the manifest of the run, FILE.manifest.json, does not lie beside the draws."], make: null };
  }
  const last = h.step[h.step.length - 1] ?? 0;
  const words = `Step size during warm-up, from ${short(h.step_size[0], 3)} in the first step${h.final === undefined ? "" : ` to ${short(h.final, 3)}, which all draws were made with (line)`}.`;
  return {
    caption: [words, " It starts again whenever the scales of the coordinates are learnt anew."],
    make: (width) =>
      plot(words, {
        width,
        height: Math.min(300, Math.max(200, width * 0.45)),
        marginLeft: 64,
        x: { label: "warm-up step", domain: [0, last] },
        y: { label: "step size", type: "log", ticks: 4, tickFormat: (v: number) => short(v, 2) },
        marks: [
          h.final === undefined ? null : Plot.ruleY([h.final], { stroke: ink.other, strokeWidth: 1.5 }),
          Plot.line(h.step_size, { x: (_: number, k: number) => h.step[k], y: (v: number) => v, stroke: ink.main, strokeWidth: 1.25 }),
        ],
      }),
  };
}
