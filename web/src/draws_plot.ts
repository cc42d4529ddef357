// How all plots of a run look, and the places they are drawn in.
import * as Plot from "@observablehq/plot";
import { element } from "./element";

const colours = 6;
/** Chain k, counted from 0, in every plot. */
export const chainColour = (k: number): string => `var(--c${k % colours})`;

/** Strokes and fills by meaning. */
export const ink = {
  main: "var(--c0)",
  other: "var(--c1)",
  exact: "var(--c3)",
  text: "var(--ink)",
  muted: "var(--muted)",
  axis: "var(--axis)",
  band: "var(--grid)",
};

export type Drawn = SVGElement | HTMLElement;

/** A plot in the page's colours; `label` says what it shows in words and numbers. */
export function plot(label: string, options: Plot.PlotOptions): Drawn {
  const made = Plot.plot({
    marginTop: 26,
    marginRight: 12,
    marginBottom: 38,
    marginLeft: 56,
    grid: true,
    ...options,
    style: { "--plot-background": "var(--paper)", background: "none", color: ink.muted, fontFamily: "inherit", fontSize: "12px", overflow: "visible" } as Plot.PlotOptions["style"],
  });
  // One picture with one name: Plot's own labels are of parts, which have no role.
  for (const part of made.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made as Drawn;
}

/** Plots that are drawn again whenever their room changes. */
export class Slots {
  private readonly slots: { place: HTMLElement; make: (width: number) => Drawn; width: number }[] = [];
  private readonly observer = new ResizeObserver(() => requestAnimationFrame(() => this.refit()));

  /** A figure with a heading, a plot and words below it. */
  figure(title: string): { figure: HTMLElement; show: (caption: (Node | string)[], make: ((width: number) => Drawn) | null) => void } {
    const place = element("div", { class: "draws-plot" });
    const caption = element("figcaption");
    const figure = element("figure", { class: "draws-figure" }, element("p", { class: "draws-title" }, title), place, caption);
    const slot = { place, make: (): Drawn => element("span"), width: 0 };
    this.observer.observe(place);
    return {
      figure,
      show: (words, make) => {
        const known = this.slots.indexOf(slot);
        if (known >= 0) this.slots.splice(known, 1);
        caption.replaceChildren(...words);
        place.hidden = make === null;
        place.replaceChildren();
        if (make === null) return;
        Object.assign(slot, { make, width: 0 });
        this.slots.push(slot);
        this.refit();
      },
    };
  }

  private refit(): void {
    for (const slot of this.slots) {
      const width = Math.floor(slot.place.clientWidth);
      if (width <= 0 || width === slot.width) continue;
      slot.width = width;
      slot.place.replaceChildren(slot.make(width));
    }
  }
}

/** Coloured words for the chains of a plot. */
export function chainKey(chains: number[]): HTMLElement {
  return element(
    "span",
    { class: "draws-key" },
    ...chains.map((chain, k) =>
      element("span", {}, element("i", { style: `background:${chainColour(k)}`, "aria-hidden": "true" }), `chain ${chain}`),
    ),
  );
}
