// Numbers and first words of the topics on the map, as many as have room.
import { placeLabels, type LabelOptions, type LabelledCircle } from "./label_placement";
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
  private readonly pen = document.createElement("canvas").getContext("2d");

  constructor(
    private readonly model: TopicModel,
    private readonly topics: readonly Topic[],
  ) {}

  /** The chosen topic's label comes first. */
  place(circles: readonly MapCircle[], width: number, height: number, chosen: number | null): void {
    if (circles.length === 0) return;
    const order = this.topics.map((_, index) => index);
    const first = this.topics.findIndex((topic) => topic.number === chosen);
    if (first > 0) order.unshift(...order.splice(first, 1));
    const labelled: LabelledCircle[] = order.map((index) => {
      const topic = this.topics[index] as Topic;
      const circle = circles[index] as MapCircle;
      return { ...circle, number: String(topic.number), word: shortened(this.model.firstWords(topic, 1)[0] ?? "") };
    });
    const options: LabelOptions = { width, height, lineHeight: fontSize * 1.25, measure: (text) => this.measure(text) };
    const nodes = placeLabels(labelled, options).map((label) => {
      const circle = labelled[label.circle] as LabelledCircle;
      const text = svgElement("text", { x: label.x.toFixed(1), y: label.y.toFixed(1), "text-anchor": label.anchor });
      if (label.circle === 0 && first >= 0) text.setAttribute("class", "is-chosen");
      if (label.text !== "word") text.append(tspan("map-number", circle.number));
      if (label.text !== "number") text.append(tspan("map-word", label.text === "both" ? `\u00a0${circle.word}` : circle.word));
      return text;
    });
    this.node.replaceChildren(...nodes);
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

function tspan(kind: string, text: string): SVGTSpanElement {
  const made = svgElement("tspan", { class: kind });
  made.textContent = text;
  return made;
}
