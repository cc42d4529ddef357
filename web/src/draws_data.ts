// What report/run_widget.cpp writes, and how its packed numbers are read.

/** Floats in base64: differences to `centre`, or logarithms to base 10. */
export interface Packed {
  logarithmic?: boolean;
  centre: number;
}

export interface Histogram {
  low: number;
  high: number;
  share: number[];
  exact?: number[];
}

export interface Coordinate extends Packed {
  name: string;
  index: number;
  reason: string;
  mean: number | null;
  mcse: number | null;
  sd: number | null;
  q5: number | null;
  q50: number | null;
  q95: number | null;
  ess_bulk: number | null;
  ess_tail: number | null;
  rhat: number | null;
  /** Where R-hat fails for short chains and nested R-hat passes. */
  nested_rhat?: number;
  points: string;
  broken?: { count: number; chain: number; draw: number };
  ranks?: { bins: number; expected: number; sd: number; counts: number[] };
  ecdf?: { stride: number; kept: number; outside: number; low: number[]; high: number[]; chains: number[]; lines: string };
  trace?: { width: number; chains: number[]; low: string; high?: string };
  autocorrelation?: { mean: (number | null)[]; low?: number[]; high?: number[] };
  histogram?: Histogram;
  log_histogram?: Histogram;
}

export interface Outline {
  kind: "unknown" | "none" | "range" | "triangle" | "circle";
  lower?: (number | null)[];
  upper?: (number | null)[];
  centre?: number[];
  radius?: number;
}

export interface DrawsData {
  chains: number;
  draws: number;
  dimension: number;
  gates: { rhat: number; ess: number };
  outline: Outline;
  points: { chain: number[]; divergent: number[] };
  dual?: { what: string; skipped?: string; coordinates: ((Packed & { name: string; points: string }) | null)[] };
  strip: { width: number; nested?: number; rhat: (number | null)[]; ess_bulk: (number | null)[]; ess_tail: (number | null)[] };
  acceptance?: { width: number; mean: number[]; low: number[]; high: number[]; indicator?: number; gate?: number };
  given_step_size?: number;
  history?: { step: number[]; step_size: number[]; acceptance: number[]; final?: number };
  coordinates: Coordinate[];
}

/** Do the chains agree on a coordinate, as the verdict has it? */
export const agree = (c: Coordinate, gates: DrawsData["gates"]): boolean => c.nested_rhat !== undefined || (c.rhat ?? Infinity) < gates.rhat;

export function floats(text: string): number[] {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

export function unpacked(text: string, packing: Packed): number[] {
  return floats(text).map(packing.logarithmic ? (v) => 10 ** v : (v) => v + packing.centre);
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Four significant digits, as people read them. */
export function short(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    const [mantissa = "", exponent = "0"] = value.toExponential(digits - 1).split("e");
    const power = [...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : (superscripts[Number(c)] ?? c))).join("");
    return (Number(mantissa) === 1 ? `10${power}` : `${Number(mantissa)}×10${power}`).replace("-", "−");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : Math.floor(value).toLocaleString("en");

/** A mean with the digits that its error leaves. */
export function meanText(mean: number | null, mcse: number | null): string {
  if (!mean || !mcse) return short(mean);
  const digits = Math.floor(Math.log10(Math.abs(mean))) - Math.floor(Math.log10(mcse)) + 1;
  return `${short(mean, Math.max(2, Math.min(12, digits)))} ± ${short(mcse, 2)}`;
}

/** A value of a distribution, to a tenth of its standard deviation at least. */
export function placeText(value: number | null, sd: number | null): string {
  if (!value || !sd) return short(value);
  const digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(sd)) + 2;
  return short(value, Math.max(3, Math.min(12, digits)));
}

/** 1st, 2nd, 3rd, 4th, …, 11th, 12th, … */
export function ordinal(n: number): string {
  const ending = Math.floor(n / 10) % 10 === 1 ? undefined : ["th", "st", "nd", "rd"][n % 10];
  return `${n}${ending ?? "th"}`;
}
