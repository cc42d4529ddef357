// A bar with the ends of its interval: a share of the largest value that is drawn beside it.
import "./interval_glyph.css";
import { element } from "./element";

const part = (value: number, most: number): string => `${(100 * Math.min(1, Math.max(0, value / most))).toFixed(2)}%`;

/** Decoration: whoever draws it says the numbers beside it. */
export function intervalGlyph(value: number, low: number | null, high: number | null, most: number): HTMLElement {
  const bar = element("span", { class: "glyph-bar" });
  const glyph = element("span", { class: "glyph", "aria-hidden": "true" }, bar);
  setBar(bar, value, most);
  if (low !== null && high !== null) {
    const whisker = element("span", { class: "glyph-whisker" });
    setWhisker(whisker, low, high, most);
    glyph.append(whisker);
  }
  return glyph;
}

export function setBar(bar: HTMLElement, value: number, most: number): void {
  bar.style.width = part(value, most);
}

export function setWhisker(whisker: HTMLElement, low: number, high: number, most: number): void {
  whisker.style.left = part(low, most);
  whisker.style.width = part(high - low, most);
}
