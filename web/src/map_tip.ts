// The note beside a circle that is pointed at: topic, share, words.
import { element } from "./element";
import type { MapCircle } from "./map_layout";
import { percent, percentInterval } from "./topic_numbers";
import type { Topic, TopicModel } from "./topics_data";

const gap = 8;
const widest = 260;
// With less room than this beside a circle the note stands below or above it.
const narrowest = 170;

export class MapTip {
  /** What it says is in the names of the circles too. */
  readonly node = element("div", { class: "map-tip", "aria-hidden": "true", hidden: true });

  constructor(private readonly model: TopicModel) {}

  show(topic: Topic | null, circle: MapCircle | undefined, word: number | null, width: number): void {
    this.node.hidden = topic === null || circle === undefined;
    if (topic === null || circle === undefined) return;
    const interval = percentInterval(topic.low, topic.high);
    this.node.replaceChildren(
      element("strong", {}, `Topic ${topic.number}`),
      ` ${percent(topic.share)}${interval === "" ? "" : ` (${interval})`}`,
      element("bdi", { class: "tip-words" }, this.model.name(topic, 6)),
    );
    if (word !== null) this.node.append(this.wordLine(topic, word));
    this.place(circle, width);
  }

  private wordLine(topic: Topic, word: number): HTMLElement {
    const part = this.model.topicsOf(word).find((share) => share.topic === topic);
    const value = part === undefined ? "almost nothing" : percent(part.share);
    return element("span", { class: "tip-word" }, element("bdi", {}, this.model.word(word)), `: ${value} of it here`);
  }

  private place({ x, y, radius }: MapCircle, width: number): void {
    const style = this.node.style;
    const onRight = x < width / 2;
    const room = (onRight ? width - x : x) - radius - 2 * gap;
    style.maxWidth = `${Math.min(widest, room >= narrowest ? room : width - 2 * gap)}px`;
    const { offsetWidth, offsetHeight } = this.node;
    const height = this.node.parentElement?.clientHeight ?? 0;
    const within = (value: number, most: number): string => `${Math.max(gap, Math.min(value, most - gap))}px`;
    if (room >= narrowest) {
      style.left = `${onRight ? x + radius + gap : x - radius - gap - offsetWidth}px`;
      style.top = within(y - offsetHeight / 2, height - offsetHeight);
    } else {
      const below = y + radius + gap;
      style.left = within(x - offsetWidth / 2, width - offsetWidth);
      style.top = below + offsetHeight + gap <= height ? `${below}px` : within(y - radius - gap - offsetHeight, height);
    }
  }
}
