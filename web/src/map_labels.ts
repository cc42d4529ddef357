// Numbers and first words of the topics on the map, as many as have room.
import { placeLabels, type LabelOptions, type LabelledCircle, type PlacedLabel } from "./label_placement";
import type { MapCircle } from "./map_layout";
import { svgElement } from "./svg_element";
import type { Topic, TopicModel } from "./topics_data";

const fontSize = 12;
const longest = 16;

const shortened = (word: string): string => {
  const letters = [...word];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : word;
};

export class MapLabels {
  readonly node = svgElement("g", { class: "map-labels", "aria-hidden": "true" });
  private readonly widths = new Map<string, number>();
  private readonly texts = new Map<number, SVGTextElement[]>();
  private circles: LabelledCircle[] = [];
  private chosen: SVGTextElement[] = [];
  private extra: SVGTextElement | null = null;
  private width = 0;
  private readonly pen = document.createElement("canvas").getContext("2d");

  constructor(
    private readonly model: TopicModel,
    private readonly topics: readonly Topic[],
  ) {}

  place(circles: readonly MapCircle[], width: number, height: number): void {
    const labelled: LabelledCircle[] = circles.map((circle, index) => {
      const topic = this.topics[index] as Topic;
      return { ...circle, number: String(topic.number), word: shortened(this.model.firstWords(topic, 1)[0] ?? "") };
    });
    const options: LabelOptions = { width, height, lineHeight: fontSize * 1.25, measure: (text) => this.measure(text) };
    this.circles = labelled;
    this.width = width;
    this.texts.clear();
    this.chosen = [];
    for (const label of placeLabels(labelled, options)) {
      this.texts.set(label.circle, [
        ...(this.texts.get(label.circle) ?? []),
        textOf(label, labelled[label.circle] as LabelledCircle),
      ]);
    }
    this.node.replaceChildren(...[...this.texts.values()].flat());
  }

  /** Makes a topic's label stand out; one that found no room is written over the others. */
  choose(index: number): void {
    for (const text of this.chosen) text.classList.remove("is-chosen");
    this.extra?.remove();
    const circle = this.circles[index];
    this.chosen = this.texts.get(index) ?? [];
    if (circle !== undefined && this.chosen.length === 0) {
      const left = circle.x > this.width / 2;
      const x = left ? circle.x - circle.radius - 4 : circle.x + circle.radius + 4;
      this.extra = textOf({ circle: index, text: "both", x, y: circle.y, anchor: left ? "end" : "start" }, circle);
      this.chosen = [this.extra];
      this.node.append(this.extra);
    }
    for (const text of this.chosen) text.classList.add("is-chosen");
  }

  private measure(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.pen !== null) this.pen.font = `600 ${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
      width = (this.pen?.measureText(text).width ?? 0.6 * fontSize * text.length) + 2;
      this.widths.set(text, width);
    }
    return width;
  }
}

function textOf(label: PlacedLabel, circle: LabelledCircle): SVGTextElement {
  const text = svgElement("text", { x: label.x.toFixed(1), y: label.y.toFixed(1), "text-anchor": label.anchor });
  if (label.text !== "word") text.append(tspan("map-number", circle.number));
  if (label.text !== "number")
    text.append(tspan("map-word", label.text === "both" ? `\u00a0${circle.word}` : circle.word));
  return text;
}

function tspan(kind: string, text: string): SVGTSpanElement {
  const made = svgElement("tspan", { class: kind });
  made.textContent = text;
  return made;
}
