// What is known of the chosen topic: size, scores, words; documents.
import "./topic_panel.css";
import { element } from "./element";
import { intervalGlyph } from "./interval_glyph";
import { relevanceSlider } from "./relevance_slider";
import { count, percent, percentInterval, score } from "./topic_numbers";
import type { Topic, TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";
import { WordBars } from "./word_bars";

/** A number, what it is, and more about it. */
function fact(name: string, value: string, ...more: (string | Node)[]): HTMLElement {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", {}, element("strong", {}, value), element("small", {}, ...more)),
  );
}

function facts(topic: Topic, model: TopicModel): HTMLElement {
  const all = model.data.topics.length;
  const rank = (measure: "share" | "coherence" | "exclusivity"): string => {
    const value = model.rank(topic, measure);
    return value === null || all === 1 ? "" : `rank ${value} of ${all}`;
  };
  const interval = percentInterval(topic.low, topic.high);
  const of = model.data.shareOf === "tokens" ? "of all tokens" : "of the prior";
  return element(
    "dl",
    { class: "facts" },
    interval === ""
      ? fact(`Share ${of}`, percent(topic.share), rank("share"))
      : fact(
          `Share ${of}`,
          percent(topic.share),
          "90\u00a0% interval ",
          element("span", { class: "unbroken" }, interval),
        ),
    fact("Coherence", score(topic.coherence), topic.coherence === null ? "needs a corpus" : rank("coherence")),
    fact("Exclusivity", score(topic.exclusivity), rank("exclusivity")),
  );
}

function legend(intervals: boolean): HTMLElement {
  const key = (kind: string, text: string): HTMLElement => element("span", {}, element("i", { class: kind }), text);
  const node = element("p", { class: "legend", "aria-hidden": "true" }, key("key-here", "in this topic"));
  if (intervals) node.append(key("key-whisker", "its 90 % interval"));
  node.append(key("key-overall", "in all texts"), element("span", {}, "right: part of the word's uses that is here"));
  return node;
}

/** The words of a topic, with what is known of it. */
export function topicPanel(model: TopicModel, store: ViewStore, identity: string, level: number): HTMLElement {
  const heading = document.createElement(`h${level}`);
  heading.tabIndex = -1;
  const about = element("div", { class: "topic-about" });
  const words = new WordBars(model, store);
  const node = element(
    "section",
    { class: "topic-panel" },
    heading,
    about,
    relevanceSlider(store, `${identity}-lambda`),
    legend(model.data.topics.some((topic) => topic.words.some((word) => word[2] !== null))),
    words.node,
  );
  store.watch((now, before) => {
    if (now.topic === before.topic && now !== before) return;
    const topic = model.topic(now.topic);
    if (topic === null) return;
    heading.replaceChildren(
      element("span", { class: "topic-number" }, `Topic ${topic.number}`),
      " ",
      element("bdi", {}, model.name(topic)),
    );
    about.replaceChildren(facts(topic, model));
  });
  return node;
}

function documentRow([title, share, tokens]: Topic["documents"][number]): HTMLElement {
  return element(
    "li",
    {},
    element("span", { class: "document-title", dir: "auto", title }, title),
    intervalGlyph(share, null, null, 1),
    element("span", { class: "number" }, percent(share)),
    element("small", { class: "number" }, `${count(tokens)} words`),
  );
}

function noDocuments(model: TopicModel): HTMLElement[] {
  if (model.data.corpus !== null) return [element("p", { class: "fine" }, "No document has much of this topic.")];
  return [
    element(
      "p",
      {},
      "This page was made without documents. Name a corpus to see here which documents each topic has most of:",
    ),
    element(
      "pre",
      { tabindex: 0 },
      element("code", {}, `tain lda report ${model.data.model.name} CORPUS -o topics.html`),
    ),
  ];
}

/** Documents of the chosen topic. */
export function topicDocuments(model: TopicModel, store: ViewStore, level: number): HTMLElement {
  const node = element("section", { class: "topic-documents" });
  const heading = document.createElement(`h${level}`);
  store.watch((now, before) => {
    if (now.topic === before.topic && now !== before) return;
    const topic = model.topic(now.topic);
    if (topic === null) return;
    heading.textContent = `Documents of topic ${topic.number}`;
    node.replaceChildren(heading);
    if (topic.documents.length === 0) node.append(...noDocuments(model));
    else node.append(element("ol", { class: "documents" }, ...topic.documents.map(documentRow)));
    const sampled = model.data.corpus?.sampled ?? null;
    if (topic.documents.length > 0 && sampled !== null) {
      node.append(
        element(
          "p",
          { class: "fine" },
          `The first of ${count(sampled)} documents, drawn from ${count(model.data.corpus?.documents ?? 0)}.`,
        ),
      );
    }
  });
  return node;
}
