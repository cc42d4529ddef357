// All topics in a table that can be sorted and filtered.
import "./topic_list.css";
import { ascending, descending } from "d3";
import { element } from "./element";
import { intervalGlyph } from "./interval_glyph";
import { percent, percentInterval, plural, score } from "./topic_numbers";
import type { Topic, TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";
import { folded } from "./word_index";

type Key = "number" | "share" | "coherence" | "exclusivity";
interface Row {
  topic: Topic;
  node: HTMLTableRowElement;
  text: string;
}

const columns: { key: Key | null; name: string; about: string }[] = [
  { key: "number", name: "Topic", about: "Number of the topic, the same everywhere" },
  { key: null, name: "First words", about: "" },
  { key: "share", name: "Share", about: "Size of the topic, with its posterior interval" },
  { key: "coherence", name: "Coherence", about: "Whether its words occur in the same documents, from −1 to 1" },
  { key: "exclusivity", name: "Exclusivity", about: "Whether its words occur in this topic only, from 0 to 1" },
];

export class TopicList {
  readonly node: HTMLElement;
  private readonly rows: Row[];
  private readonly body = element("tbody");
  private readonly heads = new Map<Key, HTMLElement>();
  private readonly found = element("p", { class: "fine", role: "status" });
  private readonly box: HTMLElement;
  private marked: HTMLElement | null = null;
  private sorted: { key: Key; down: boolean };

  constructor(
    private readonly model: TopicModel,
    store: ViewStore,
    identity: string,
    level: number,
  ) {
    const most = Math.max(...model.data.topics.map((topic) => topic.high ?? topic.share), 1e-12);
    this.rows = model.data.topics.map((topic) => this.makeRow(topic, most));
    const filter = element("input", {
      id: `${identity}-filter`,
      type: "search",
      placeholder: "Filter by a word or number",
      input: () => this.filter(filter.value),
    });
    const heading = element("div", { class: "list-head" });
    const title = document.createElement(`h${level}`);
    title.append(model.data.topics.length === 1 ? "The topic" : `All ${plural(model.data.topics.length, "topic")}`);
    heading.append(
      title,
      element("label", { for: `${identity}-filter`, class: "visually-hidden" }, "Filter the topics"),
      filter,
    );
    this.box = element(
      "div",
      { class: "list-box", tabindex: 0, role: "region", "aria-label": "List of topics" },
      element(
        "table",
        { class: "topic-table" },
        element("caption", { class: "visually-hidden" }, "All topics"),
        this.head(),
        this.body,
      ),
    );
    this.node = element("section", { class: "topic-list" }, heading, this.box, this.found);
    this.sorted = model.data.shareOf === "tokens" ? { key: "share", down: true } : { key: "number", down: false };
    this.sort();
    this.body.addEventListener("click", (event) => {
      const row = this.rows.find(({ node }) => node.contains(event.target as Node));
      if (row !== undefined) store.change({ topic: row.topic.number });
    });
    this.body.addEventListener("pointerover", (event) => {
      const row = this.rows.find(({ node }) => node.contains(event.target as Node));
      store.change({ pointedTopic: row?.topic.number ?? null });
    });
    this.body.addEventListener("pointerleave", () => store.change({ pointedTopic: null }));
    store.watch((now, before) => {
      if (now.topic !== before.topic || now === before) this.mark(now.topic);
    });
  }

  private head(): HTMLElement {
    const row = element("tr");
    for (const { key, name, about } of columns) {
      const cell = element("th", { scope: "col", class: key ?? "words" });
      if (key === null) cell.append(name);
      else {
        cell.append(element("button", { type: "button", title: about, click: () => this.sortBy(key) }, name));
        this.heads.set(key, cell);
      }
      row.append(cell);
    }
    return element("thead", {}, row);
  }

  private makeRow(topic: Topic, most: number): Row {
    const interval = percentInterval(topic.low, topic.high);
    const share = element(
      "td",
      { class: "share", title: interval === "" ? null : `posterior interval ${interval}` },
      element(
        "div",
        {},
        intervalGlyph(topic.share, topic.low, topic.high, most),
        element("span", {}, percent(topic.share)),
      ),
    );
    if (interval !== "") share.append(element("span", { class: "visually-hidden" }, `, interval ${interval}`));
    const node = element(
      "tr",
      {},
      element(
        "th",
        { scope: "row", class: "number" },
        element("button", { type: "button", "aria-label": `Topic ${topic.number}` }, String(topic.number)),
      ),
      element(
        "td",
        { class: "words", title: this.model.name(topic, 10) },
        element("bdi", {}, this.model.name(topic, 5)),
      ),
      share,
      element("td", { class: "coherence" }, score(topic.coherence)),
      element("td", { class: "exclusivity" }, score(topic.exclusivity)),
    );
    return { topic, node, text: folded(this.model.name(topic, 30)) };
  }

  private sortBy(key: Key): void {
    this.sorted = { key, down: this.sorted.key === key ? !this.sorted.down : key !== "number" };
    this.sort();
    this.found.textContent = `Sorted by ${key}, ${this.sorted.down ? "largest" : "smallest"} first.`;
  }

  private sort(): void {
    const { key, down } = this.sorted;
    const order = down ? descending : ascending;
    // What has no value comes last either way.
    const value = (row: Row): number => row.topic[key] ?? (down ? -Infinity : Infinity);
    this.rows.sort((a, b) => order(value(a), value(b)) || a.topic.number - b.topic.number);
    this.body.replaceChildren(...this.rows.map((row) => row.node));
    for (const [name, cell] of this.heads) {
      if (name === key) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  }

  private filter(text: string): void {
    const wanted = folded(text.trim());
    let left = 0;
    for (const row of this.rows) {
      row.node.hidden = wanted !== "" && String(row.topic.number) !== wanted && !row.text.includes(wanted);
      if (!row.node.hidden) ++left;
    }
    this.found.textContent =
      wanted === ""
        ? ""
        : left > 0
          ? `${plural(left, "topic")} of ${this.rows.length}.`
          : `No topic has “${text.trim()}” among its 30 first words.`;
  }

  private mark(chosen: number | null): void {
    this.marked?.removeAttribute("aria-current");
    this.marked = this.rows.find(({ topic }) => topic.number === chosen)?.node ?? null;
    this.marked?.setAttribute("aria-current", "true");
    // With the page's next layout, which it needs.
    requestAnimationFrame(() => this.bringIn());
  }

  /** Scrolls the box, and not the page, to the chosen row; not under the hands of whoever is in it. */
  private bringIn(): void {
    if (this.marked === null || this.box.contains(document.activeElement)) return;
    const top = this.marked.offsetTop - this.body.offsetTop;
    const below = this.marked.offsetTop + this.marked.offsetHeight - this.box.clientHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (below > this.box.scrollTop) this.box.scrollTop = below;
  }
}
