// The map of topics: circles by size and likeness, chosen by pointer or keys, coloured by a word on request.
import "./topic_map.css";
import { select, zoom as makeZoom, zoomIdentity, type D3ZoomEvent } from "d3";
import { element } from "./element";
import {
  circleAt,
  circleTowards,
  layOut,
  mapHeight,
  unitRadius,
  zoomed,
  type MapCircle,
  type Zoom,
} from "./map_layout";
import { mapCaption } from "./map_caption";
import { MapLabels } from "./map_labels";
import { MapTip } from "./map_tip";
import { svgElement } from "./svg_element";
import { percent } from "./topic_numbers";
import type { Topic, TopicModel } from "./topics_data";
import type { View, ViewStore } from "./topics_view";

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
// How far from a circle a pointer may be and still mean it.
const reach = 12;

export class TopicMap {
  readonly node: HTMLElement;
  private readonly topics: Topic[];
  private readonly svg = svgElement("svg", { class: "topic-map", role: "listbox", "aria-label": "Map of topics" });
  private readonly options: SVGGElement[] = [];
  private readonly halos: SVGCircleElement[] = [];
  private readonly discs: SVGCircleElement[] = [];
  private readonly chosenRing = svgElement("circle", { class: "map-chosen" });
  private readonly pointedRing = svgElement("circle", { class: "map-pointed" });
  private readonly tip: MapTip;
  private readonly frame = element("div", { class: "map-frame" });
  private readonly labels: MapLabels;
  private readonly zooming = makeZoom<SVGSVGElement, unknown>().scaleExtent([1, 12]).clickDistance(4);
  private plain: MapCircle[] = [];
  private circles: MapCircle[] = [];
  private zoom: Zoom = zoomIdentity;
  private reachable = 0;
  private width = 0;
  private height = 0;

  constructor(
    private readonly model: TopicModel,
    private readonly store: ViewStore,
  ) {
    // Small circles are drawn over large ones.
    this.topics = model.bySize;
    this.labels = new MapLabels(model, this.topics);
    this.drawTopics();
    this.tip = new MapTip(model);
    this.frame.append(this.svg, this.tip.node);
    this.node = element(
      "figure",
      { class: "map" },
      this.frame,
      element("figcaption", {}, mapCaption(model, store), this.zoomButtons()),
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.frame);
    store.watch((now, before) => this.update(now, before));
  }

  private drawTopics(): void {
    const halos = svgElement("g", { "aria-hidden": "true" });
    const discs = svgElement("g", { role: "presentation" });
    this.topics.forEach((topic, index) => {
      const halo = svgElement("circle", { class: "map-halo" });
      const disc = svgElement("circle", { class: "map-disc" });
      const label = `Topic ${topic.number}: ${this.model.name(topic)}; ${percent(topic.share)}`;
      const option = svgElement("g", {
        role: "option",
        tabindex: index === 0 ? 0 : -1,
        "aria-label": label,
        "aria-selected": "false",
        "data-topic": topic.number,
      });
      option.append(disc);
      discs.append(option);
      if (topic.low !== null && topic.high !== null) halos.append(halo);
      this.options.push(option);
      this.discs.push(disc);
      this.halos.push(halo);
    });
    this.svg.append(halos, discs, this.chosenRing, this.pointedRing, this.labels.node);
  }

  private zoomButtons(): HTMLElement {
    // Around the chosen topic, if there is one.
    const by = (factor: number) => () => {
      const circle = this.circles[this.indexOf(this.store.current.topic)];
      this.zooming.scaleBy(select(this.svg), factor, circle === undefined ? undefined : [circle.x, circle.y]);
    };
    const button = (name: string, sign: string, click: () => void): HTMLElement =>
      element("button", { type: "button", "aria-label": name, title: name, click }, sign);
    return element(
      "div",
      { class: "map-zoom", role: "group", "aria-label": "Zoom of the map" },
      button("Zoom in", "+", by(1.6)),
      button("Zoom out", "−", by(1 / 1.6)),
      button("Show the whole map", "⤢", () => this.zooming.transform(select(this.svg), zoomIdentity)),
    );
  }

  private listen(): void {
    this.zooming
      // The wheel alone scrolls the page, one finger too, until the map is larger than its frame.
      .filter((event: MouseEvent | TouchEvent) => {
        if (event.type === "wheel") return event.ctrlKey || event.metaKey;
        if ("touches" in event) return event.touches.length > 1 || this.zoom.k > 1;
        return event.button === 0 && event.type !== "dblclick";
      })
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.zoom = event.transform;
        this.frame.classList.toggle("is-zoomed", this.zoom.k > 1);
        this.place();
      });
    select(this.svg).call(this.zooming);
    this.svg.addEventListener("pointermove", (event) => this.point(this.topicAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => {
      const topic = this.topicAt(event);
      if (topic !== null) this.choose(topic);
    });
    this.svg.addEventListener("focusin", (event) => this.point(this.topicOf(event.target)));
    this.svg.addEventListener("focusout", () => this.point(null));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  private topicAt(event: MouseEvent): Topic | null {
    const frame = this.svg.getBoundingClientRect();
    const index = circleAt(this.circles, event.clientX - frame.left, event.clientY - frame.top, reach);
    return index === null ? null : (this.topics[index] ?? null);
  }

  private topicOf(target: EventTarget | null): Topic | null {
    const index = this.options.indexOf(target as SVGGElement);
    return this.topics[index] ?? null;
  }

  private point(topic: Topic | null): void {
    this.store.change({ pointedTopic: topic?.number ?? null });
  }

  private choose(topic: Topic): void {
    this.store.change({ topic: topic.number });
  }

  private key(event: KeyboardEvent): void {
    const topic = this.topicOf(event.target);
    if (topic === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    const at = this.topics.indexOf(topic);
    let next: Topic | null | undefined;
    if (event.key === "Enter" || event.key === " ") this.choose(topic);
    else if (step !== undefined) next = this.topics[circleTowards(this.circles, at, ...step) ?? at];
    else if (event.key === "PageDown") next = this.model.neighbour(topic.number, 1);
    else if (event.key === "PageUp") next = this.model.neighbour(topic.number, -1);
    else if (event.key === "Home") next = this.model.data.topics[0];
    else if (event.key === "End") next = this.model.data.topics.at(-1);
    else return;
    event.preventDefault();
    if (next) this.focus(next);
  }

  /** One topic is in the order of the tabulator, the others are reached from it. */
  private focus(topic: Topic): void {
    this.rove(topic);
    this.bringIn(topic);
    this.options[this.topics.indexOf(topic)]?.focus({ preventScroll: true });
  }

  /** Moves an enlarged map so that the topic is in its frame. */
  private bringIn(topic: Topic): void {
    const at = this.topics.indexOf(topic);
    const [circle, plain] = [this.circles[at], this.plain[at]];
    if (circle === undefined || plain === undefined) return;
    const inside = circle.x >= 0 && circle.x <= this.width && circle.y >= 0 && circle.y <= this.height;
    if (!inside) this.zooming.translateTo(select(this.svg), plain.x, plain.y);
  }

  private rove(topic: Topic): void {
    this.options[this.reachable]?.setAttribute("tabindex", "-1");
    this.reachable = this.topics.indexOf(topic);
    this.options[this.reachable]?.setAttribute("tabindex", "0");
  }

  private resize(): void {
    const width = Math.round(this.frame.clientWidth);
    if (width === 0 || width === this.width) return;
    this.width = width;
    this.height = mapHeight(this.topics, width);
    for (const [name, value] of [
      ["width", width],
      ["height", this.height],
    ] as const)
      this.svg.setAttribute(name, String(value));
    this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.plain = layOut(this.topics, width, this.height);
    const corners: [[number, number], [number, number]] = [
      [0, 0],
      [width, this.height],
    ];
    this.zooming.extent(corners).translateExtent(corners);
    this.zooming.transform(select(this.svg), zoomIdentity);
    this.place();
  }

  /** Puts everything where the present size and zoom want it. */
  private place(): void {
    this.circles = this.plain.map((circle) => zoomed(circle, this.zoom));
    const unit = unitRadius(this.topics, this.width, this.height) * Math.sqrt(this.zoom.k);
    this.circles.forEach((circle, index) => {
      const topic = this.topics[index];
      place(this.discs[index], circle);
      if (topic === undefined || topic.low === null || topic.high === null) return;
      const [inner, outer] = [unit * Math.sqrt(topic.low), unit * Math.sqrt(topic.high)];
      place(this.halos[index], { ...circle, radius: (inner + outer) / 2 });
      this.halos[index]?.setAttribute("stroke-width", (outer - inner).toFixed(2));
    });
    this.labels.place(this.circles, this.width, this.height);
    this.labels.choose(this.indexOf(this.store.current.topic));
    this.showRings(this.store.current);
  }

  private indexOf(number: number | null): number {
    return this.topics.findIndex((topic) => topic.number === number);
  }

  private update(now: View, before: View): void {
    const word = now.pointedWord ?? now.word;
    if (word !== (before.pointedWord ?? before.word) || now === before) this.colour(word);
    if (now.topic !== before.topic || now === before) {
      const topic = this.model.topic(now.topic);
      for (const number of [before.topic, now.topic]) {
        this.options[this.indexOf(number)]?.setAttribute("aria-selected", String(number === now.topic));
      }
      if (topic !== null) {
        this.rove(topic);
        this.bringIn(topic);
      }
      this.labels.choose(this.indexOf(now.topic));
    }
    this.showRings(now);
  }

  /** By p(topic | word), the root of it, so that small parts remain visible. */
  private colour(word: number | null): void {
    this.svg.classList.toggle("by-word", word !== null);
    const shares = word === null ? [] : this.model.topicsOf(word);
    const most = shares[0]?.share ?? 1;
    const heat = new Map(shares.map(({ topic, share }) => [topic, Math.sqrt(share / most)]));
    this.topics.forEach((topic, index) => {
      const disc = this.discs[index];
      if (word === null) disc?.style.removeProperty("--heat");
      else disc?.style.setProperty("--heat", (heat.get(topic) ?? 0).toFixed(3));
    });
  }

  private showRings(view: View): void {
    const at = (number: number | null): MapCircle | undefined => this.circles[this.indexOf(number)];
    ring(this.chosenRing, at(view.topic));
    ring(this.pointedRing, at(view.pointedTopic));
    this.tip.show(
      this.model.topic(view.pointedTopic),
      at(view.pointedTopic),
      view.pointedWord ?? view.word,
      this.width,
    );
  }
}

function place(node: SVGCircleElement | undefined, circle: MapCircle): void {
  node?.setAttribute("cx", circle.x.toFixed(1));
  node?.setAttribute("cy", circle.y.toFixed(1));
  node?.setAttribute("r", circle.radius.toFixed(2));
}

function ring(node: SVGCircleElement, circle: MapCircle | undefined): void {
  node.style.display = circle === undefined ? "none" : "";
  if (circle !== undefined) place(node, circle);
}
