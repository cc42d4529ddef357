// The words of the chosen topic, the most relevant first: probability here, its interval, probability overall.
import "./word_bars.css";
import { scaleLinear } from "d3";
import { element } from "./element";
import { setBar, setWhisker } from "./interval_glyph";
import { mostRelevant } from "./relevance";
import { percent, percentInterval } from "./topic_numbers";
import type { Topic, TopicModel, TopicWord } from "./topics_data";
import type { View, ViewStore } from "./topics_view";

const shownWords = 30;
const moving = { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" };

interface Row {
  node: HTMLLIElement;
  button: HTMLButtonElement;
  here: HTMLElement;
  overall: HTMLElement;
  whisker: HTMLElement;
}

export class WordBars {
  readonly node: HTMLElement;
  private readonly axis = element("div", { class: "word-axis", "aria-hidden": "true" });
  private readonly list = element("ol", { class: "word-rows" });
  private rows = new Map<number, Row>();
  private shown: number[] = [];
  private topic: Topic | null = null;

  constructor(
    private readonly model: TopicModel,
    private readonly store: ViewStore,
  ) {
    this.node = element(
      "div",
      { class: "word-bars" },
      element(
        "div",
        { class: "word-head", "aria-hidden": "true" },
        element("span", { class: "word-text" }, ""),
        this.axis,
        element(
          "span",
          { class: "word-part", title: "The part of all the word's tokens that this topic has" },
          "of word",
        ),
      ),
      this.list,
    );
    store.watch((now, before) => this.update(now, before));
  }

  private update(now: View, before: View): void {
    if (now.topic !== before.topic || now.lambda !== before.lambda || now === before) this.show(now);
    if (now.word !== before.word) {
      for (const [word, row] of this.rows) row.button.setAttribute("aria-pressed", String(word === now.word));
    }
  }

  private show(view: View): void {
    const topic = this.model.topic(view.topic);
    if (topic !== this.topic) {
      this.topic = topic;
      this.rows.clear();
      this.shown = [];
      this.list.replaceChildren();
    }
    if (topic === null) return;
    const entries = mostRelevant(topic.words, this.model.data.p, view.lambda, shownWords);
    const most = this.drawAxis(entries);
    const before = this.shown;
    this.shown = entries.map((entry) => entry[0]);
    const rows = entries.map((entry) => this.rows.get(entry[0]) ?? this.makeRow(topic, entry));
    entries.forEach((entry, index) => this.draw(rows[index] as Row, entry, most));
    this.list.replaceChildren(...rows.map((row) => row.node));
    this.move(rows, before);
  }

  /** Ticks of the bars' scale; returns the value at its end. */
  private drawAxis(entries: readonly TopicWord[]): number {
    const values = entries.flatMap(([word, phi, , high]) => [phi, high ?? 0, this.model.data.p[word] ?? 0]);
    const most = Math.max(...values, 1e-12);
    const ticks = scaleLinear().domain([0, most]).ticks(3);
    const digits = Math.max(0, -Math.floor(Math.log10(100 * (ticks[1] ?? most)) + 1e-9));
    this.axis.replaceChildren(
      ...ticks.map((tick) =>
        element(
          "span",
          { style: `left:${((100 * tick) / most).toFixed(2)}%` },
          `${(100 * tick).toFixed(digits)}${tick === ticks.at(-1) ? "\u00a0%" : ""}`,
        ),
      ),
    );
    return most;
  }

  private makeRow(topic: Topic, entry: TopicWord): Row {
    const [word, phi, low, high] = entry;
    const text = this.model.word(word);
    const part = this.model.partOfWord(topic, entry);
    const overall = this.model.data.p[word] ?? 0;
    const interval = percentInterval(low, high);
    const bars = [
      element("span", { class: "bar-overall" }),
      element("span", { class: "bar-here" }),
      element("span", { class: "bar-whisker" }),
    ] as const;
    const about =
      `${text}: ${percent(phi)} of topic ${topic.number}${interval === "" ? "" : ` (posterior interval ${interval})`}, ` +
      `${percent(overall)} of all words; ${percent(part)} of this word belongs to the topic`;
    const button = element(
      "button",
      {
        type: "button",
        class: "word-row",
        title: about,
        "aria-label": about,
        "aria-pressed": String(this.store.current.word === word),
        click: () => this.store.change({ word: this.store.current.word === word ? null : word }),
        pointerenter: () => this.store.change({ pointedWord: word }),
        pointerleave: () => this.store.change({ pointedWord: null }),
        focus: () => this.store.change({ pointedWord: word }),
        blur: () => this.store.change({ pointedWord: null }),
      },
      element("bdi", { class: "word-text" }, text),
      element("span", { class: "word-bar" }, ...bars),
      element("span", { class: "word-part" }, percent(part)),
    );
    const row: Row = { node: element("li", {}, button), button, overall: bars[0], here: bars[1], whisker: bars[2] };
    this.rows.set(word, row);
    return row;
  }

  private draw(row: Row, [word, phi, low, high]: TopicWord, most: number): void {
    setBar(row.overall, this.model.data.p[word] ?? 0, most);
    setBar(row.here, phi, most);
    row.whisker.hidden = low === null || high === null;
    if (low !== null && high !== null) setWhisker(row.whisker, low, high, most);
  }

  /** Rows glide from where they were; new ones appear. */
  private move(rows: readonly Row[], before: readonly number[]): void {
    if (before.length === 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const height = rows[0]?.node.offsetHeight ?? 0;
    rows.forEach((row, index) => {
      const from = before.indexOf(this.shown[index] ?? -1);
      if (from < 0) row.node.animate([{ opacity: 0 }, { opacity: 1 }], moving);
      else if (from !== index)
        row.node.animate([{ transform: `translateY(${(from - index) * height}px)` }, { transform: "none" }], moving);
    });
  }
}
