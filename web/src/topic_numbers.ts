// Numbers in words: shares, intervals, scores.

const space = "\u00a0";

/** Three digits from 10 % on, two decimals below, one digit of what is very small. */
function hundredths(value: number): string {
  const percent = 100 * value;
  if (percent >= 99.95) return percent.toFixed(0);
  if (percent >= 10) return percent.toFixed(1);
  if (percent >= 0.01 || percent === 0) return percent.toFixed(percent === 0 ? 0 : 2);
  return percent < 1e-5 ? percent.toExponential(0).replace("-", "−") : String(Number(percent.toPrecision(1)));
}

/** 0.0182 is "1.82 %". */
export function percent(value: number): string {
  return `${hundredths(value)}${space}%`;
}

/** "1.75 – 1.89 %"; empty where there is no interval. */
export function percentInterval(low: number | null, high: number | null): string {
  return low === null || high === null ? "" : `${hundredths(low)}${space}–${space}${hundredths(high)}${space}%`;
}

export function score(value: number | null): string {
  return value === null ? "–" : value.toFixed(2).replace("-", "−");
}

const grouped = new Intl.NumberFormat("en-US");
export function count(value: number): string {
  return grouped.format(value);
}

/** "1 topic", "3 topics" */
export function plural(value: number, noun: string): string {
  return `${count(value)}${space}${noun}${value === 1 ? "" : "s"}`;
}
