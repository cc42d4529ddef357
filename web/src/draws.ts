// Plots of a sampling run: all coordinates at a glance, one of them closely, pairs on the set and in the dual, the run.
import "./draws.css";
import { element } from "./element";
import { autocorrelation, histogram, type RankView, ranks, type Shown, traces, whyNot } from "./draws_coordinate";
import { type Coordinate, type DrawsData, meanText, placeText, short, whole } from "./draws_data";
import { dualPair, isCornered, primalPair, ternary } from "./draws_pairs";
import { Slots } from "./draws_plot";
import { acceptance, history, overview } from "./draws_run";

export type { DrawsData } from "./draws_data";

type Order = "position" | "rhat" | "ess";

/** Positions in data.coordinates, worst first unless by position. */
function ordered(data: DrawsData, order: Order): number[] {
  const all = data.coordinates.map((_, k) => k);
  const worst = (value: (c: Coordinate) => number): number[] =>
    all.sort((a, b) => value(data.coordinates[b] as Coordinate) - value(data.coordinates[a] as Coordinate) || a - b);
  // What is not defined is worse than anything, what is constant better.
  const or = (c: Coordinate, v: number | null): number => (c.sd === 0 ? -Infinity : (v ?? Infinity));
  if (order === "rhat") return worst((c) => or(c, c.rhat));
  if (order === "ess") return worst((c) => or(c, c.ess_bulk === null ? null : -Math.min(c.ess_bulk, c.ess_tail ?? c.ess_bulk)));
  return all;
}

function numbersOf(c: Coordinate): string {
  return `mean ${meanText(c.mean, c.mcse)}, sd ${short(c.sd, 3)}, nine of ten draws between ${placeText(c.q5, c.sd)} and ${placeText(c.q95, c.sd)}; R-hat ${c.rhat === null ? "–" : c.rhat.toFixed(3)}${c.nested_rhat === undefined ? "" : ` (nested ${c.nested_rhat.toFixed(3)})`}, bulk ESS ${whole(c.ess_bulk)}, tail ESS ${whole(c.ess_tail)}.`;
}

class DrawsWidget {
  private chosen = 0;
  private order: Order = "position";
  private wanted = ""; // what the search field holds
  private logarithmic: boolean | null = null; // null: as the coordinate suggests
  private rankView: RankView;
  private pair: [number, number, number];
  private readonly slots = new Slots();

  private readonly picker = element("select", { "aria-label": "Coordinate", change: () => this.choose(Number(this.picker.value)) });
  private readonly search = element("input", {
    type: "search",
    placeholder: "Find a name",
    "aria-label": "Find a coordinate by name",
    input: () => this.find(),
  });
  private readonly facts = element("p", { class: "draws-facts", "aria-live": "polite" });
  private readonly logSwitch = element("input", { type: "checkbox", change: () => this.setLog(this.logSwitch.checked) });
  private readonly logLabel = element("label", {}, this.logSwitch, " Logarithmic scale");
  private readonly rankSwitch = element("select", { "aria-label": "How to show ranks", change: () => this.setRankView() });
  private readonly axes = [0, 1, 2].map((k) =>
    element("select", { "aria-label": ["Horizontal axis", "Vertical axis", "Third corner"][k], change: () => this.setAxis(k) }),
  ) as [HTMLSelectElement, HTMLSelectElement, HTMLSelectElement];
  private readonly wholeSwitch = element("input", { type: "checkbox", change: () => this.showPairs() });
  private centred: boolean | null = null; // null: where the draws would all be in a corner
  private readonly centreSwitch = element("input", {
    type: "checkbox",
    change: () => {
      this.centred = this.centreSwitch.checked;
      this.showPairs();
    },
  });

  private readonly plots = {
    rhat: this.slots.figure("R-hat of all coordinates"),
    ess: this.slots.figure("Effective sample size of all coordinates"),
    ranks: this.slots.figure("Ranks"),
    traces: this.slots.figure("Traces"),
    autocorrelation: this.slots.figure("Autocorrelation"),
    histogram: this.slots.figure("Distribution"),
    primal: this.slots.figure("On the set"),
    dual: this.slots.figure("In the dual"),
    ternary: this.slots.figure("Ternary"),
    acceptance: this.slots.figure("Acceptance"),
    history: this.slots.figure("Step size"),
  };
  private readonly single = element("div", { class: "draws-grid" });
  private readonly why = element("p", { class: "draws-empty" });

  constructor(
    private readonly data: DrawsData,
    container: HTMLElement,
  ) {
    this.rankView = data.chains <= 8 ? "histogram" : "ecdf";
    this.pair = this.goodTriple();
    container.append(this.overviewPart(), this.coordinatePart(), this.pairsPart(), this.runPart());
    this.listCoordinates();
    this.fillAxes();
    this.showRun();
    this.choose(0);
  }

  private get coordinate(): Coordinate {
    return this.data.coordinates[this.chosen] as Coordinate;
  }

  // ---- parts -----------------------------------------------------------------------------------

  private overviewPart(): HTMLElement {
    const { rhat, ess } = this.plots;
    return element("div", { class: "draws-grid" }, rhat.figure, ess.figure);
  }

  private coordinatePart(): HTMLElement {
    const step = (by: number, label: string, sign: string): HTMLElement =>
      element("button", { type: "button", "aria-label": label, title: label, click: () => this.step(by) }, sign);
    const orders: [Order, string][] = [["position", "in their order"], ["rhat", "worst R-hat first"], ["ess", "lowest ESS first"]];
    const order = element(
      "select",
      { "aria-label": "Order of coordinates", change: () => { this.order = order.value as Order; this.listCoordinates(); } },
      ...orders.map(([value, label]) => element("option", { value }, label)),
    );
    this.rankSwitch.append(
      ...(this.data.chains <= 8 ? [element("option", { value: "histogram" }, "as histograms")] : []),
      element("option", { value: "ecdf" }, "as ECDF differences"),
    );
    const { ranks: r, traces: t, autocorrelation: a, histogram: h } = this.plots;
    this.single.append(r.figure, t.figure, a.figure, h.figure);
    r.figure.querySelector(".draws-title")?.append(" ", this.rankSwitch);
    return element(
      "div",
      { class: "draws-part", role: "group", "aria-label": "One coordinate" },
      element(
        "div",
        { class: "draws-bar" },
        element("span", { class: "draws-choose" }, step(-1, "Previous coordinate", "‹"), this.picker, step(1, "Next coordinate", "›")),
        this.search,
        order,
        this.logLabel,
      ),
      this.facts,
      this.why,
      this.single,
    );
  }

  private pairsPart(): HTMLElement {
    const { primal, dual, ternary: t } = this.plots;
    const bounded = ["range", "triangle", "circle"].includes(this.data.outline.kind);
    const isSimplex = this.data.outline.kind === "triangle" && this.data.coordinates.length > 2;
    const [x, y, z] = this.axes;
    return element(
      "div",
      { class: "draws-part", role: "group", "aria-label": "Pairs of coordinates" },
      element(
        "div",
        { class: "draws-bar" },
        element("label", {}, "Pair ", x),
        element("label", {}, "with ", y),
        ...(isSimplex ? [element("label", {}, "and ", z)] : []),
        ...(bounded ? [element("label", {}, this.wholeSwitch, " Show the whole set")] : []),
        ...(isSimplex ? [element("label", {}, this.centreSwitch, " Centre the ternary plot")] : []),
      ),
      element("div", { class: "draws-grid draws-pairs" }, primal.figure, dual.figure, ...(isSimplex ? [t.figure] : [])),
    );
  }

  private runPart(): HTMLElement {
    return element("div", { class: "draws-part" }, element("div", { class: "draws-grid" }, this.plots.acceptance.figure, this.plots.history.figure));
  }

  // ---- choosing --------------------------------------------------------------------------------

  private matching(): number[] {
    const wanted = this.wanted.trim().toLowerCase();
    const all = ordered(this.data, this.order);
    return wanted === "" ? all : all.filter((k) => this.data.coordinates[k]?.name.toLowerCase().includes(wanted));
  }

  private listCoordinates(): void {
    const found = this.matching();
    this.picker.replaceChildren(
      ...found.map((k) => element("option", { value: k }, this.data.coordinates[k]?.name ?? "")),
      ...(found.length === 0 ? [element("option", { value: -1, disabled: true }, "no such name here")] : []),
    );
    if (found.includes(this.chosen)) this.picker.value = String(this.chosen);
  }

  private find(): void {
    this.wanted = this.search.value;
    this.listCoordinates();
    const [first] = this.matching();
    if (first !== undefined) this.choose(Number(this.picker.value));
  }

  private step(by: number): void {
    const found = this.matching();
    if (found.length === 0) return;
    const now = found.indexOf(this.chosen);
    this.choose(found[(Math.max(now, 0) + by + found.length) % found.length] ?? 0);
  }

  /** Two axes and a third corner, the first of them given or not: what has a dual of its own and no long tail. */
  private goodTriple(first?: number): [number, number, number] {
    const { coordinates, dual } = this.data;
    const tail = (k: number): number => (coordinates[k]?.logarithmic ? 1 : 0);
    const alone = (k: number): number => (dual?.coordinates[k] === null ? 2 : 0);
    const best = (badness: (k: number) => number, ...taken: number[]): number =>
      coordinates
        .map((_, k) => k)
        .filter((k) => !taken.includes(k))
        .sort((a, b) => badness(a) - badness(b) || a - b)[0] ?? 0;
    const pair = (k: number): number => alone(k) + tail(k);
    const x = first ?? best(pair);
    const y = best(pair, x);
    return [x, y, best(tail, x, y)];
  }

  /** The nearest coordinate that has plots. */
  private chooseIndex(index: number): void {
    const away = (k: number): number => Math.abs((this.data.coordinates[k]?.index ?? 0) - index);
    const nearest = this.data.coordinates.map((_, k) => k).reduce((best, k) => (away(k) < away(best) ? k : best), 0);
    this.wanted = this.search.value = "";
    this.listCoordinates();
    this.choose(nearest);
  }

  private choose(position: number): void {
    if (!(position >= 0)) return;
    this.chosen = position;
    this.picker.value = String(position);
    this.logarithmic = this.centred = null;
    // What the dual is measured against is better looked at in other pairs.
    if (this.data.dual?.coordinates[position] !== null) {
      this.pair = this.pair.slice(1).includes(position) ? this.goodTriple(position) : [position, this.pair[1], this.pair[2]];
    }
    this.axes.forEach((axis, k) => (axis.value = String(this.pair[k])));
    this.showOverview();
    this.showCoordinate();
    this.showPairs();
  }

  private setLog(on: boolean): void {
    this.logarithmic = on;
    this.showCoordinate();
    this.showPairs();
  }

  private setRankView(): void {
    this.rankView = this.rankSwitch.value as RankView;
    this.showCoordinate();
  }

  private fillAxes(): void {
    for (const axis of this.axes) {
      axis.replaceChildren(...this.data.coordinates.map((c, k) => element("option", { value: k }, c.name)));
    }
  }

  private setAxis(k: number): void {
    this.pair[k as 0 | 1 | 2] = Number(this.axes[k as 0 | 1 | 2].value);
    this.centred = null;
    this.showPairs();
  }

  // ---- showing ---------------------------------------------------------------------------------

  private get onLog(): boolean {
    const c = this.coordinate;
    return c.log_histogram !== undefined && (this.logarithmic ?? c.logarithmic ?? false);
  }

  private static put(place: { show: (caption: (Node | string)[], make: Shown["make"]) => void }, shown: Shown): void {
    place.show(shown.caption, shown.make);
  }

  private showOverview(): void {
    const { rhat, ess } = overview(this.data, this.coordinate.index, (index) => this.chooseIndex(index));
    DrawsWidget.put(this.plots.rhat, rhat);
    DrawsWidget.put(this.plots.ess, ess);
  }

  private showCoordinate(): void {
    const { data, coordinate: c, plots } = this;
    const reason = c.reason === "" ? "" : ` It is shown for being ${c.reason}.`;
    this.facts.replaceChildren(element("strong", {}, c.name), `: ${numbersOf(c)}${reason}`);
    const why = whyNot(data, c);
    this.why.textContent = why;
    this.why.hidden = why === "";
    this.single.hidden = why !== "";
    this.logLabel.hidden = c.log_histogram === undefined;
    this.logSwitch.checked = this.onLog;
    if (why !== "") return;
    this.rankSwitch.value = this.rankView;
    this.rankSwitch.hidden = !(c.ranks && c.ecdf);
    DrawsWidget.put(plots.ranks, ranks(data, c, this.rankView));
    DrawsWidget.put(plots.traces, traces(data, c, this.onLog));
    DrawsWidget.put(plots.autocorrelation, autocorrelation(data, c));
    DrawsWidget.put(plots.histogram, histogram(data, c, this.onLog));
  }

  private showPairs(): void {
    const { data, pair, plots } = this;
    if (data.coordinates.length < 2) {
      const alone: Shown = { caption: ["There is only one coordinate."], make: null };
      DrawsWidget.put(plots.primal, alone);
      DrawsWidget.put(plots.dual, alone);
      return;
    }
    const [i, j, k] = pair;
    DrawsWidget.put(plots.primal, primalPair(data, i, j, { whole: this.wholeSwitch.checked, logarithmic: this.onLog }));
    DrawsWidget.put(plots.dual, dualPair(data, i, j));
    if (data.outline.kind !== "triangle" || data.coordinates.length < 3) return;
    const centred = this.centred ?? isCornered(data, i, j, k);
    this.centreSwitch.checked = centred;
    DrawsWidget.put(plots.ternary, ternary(data, i, j, k, centred));
  }

  private showRun(): void {
    DrawsWidget.put(this.plots.acceptance, acceptance(this.data));
    DrawsWidget.put(this.plots.history, history(this.data));
  }
}

export function showDraws(container: HTMLElement, data: DrawsData): void {
  container.classList.add("draws");
  new DrawsWidget(data, container);
}
