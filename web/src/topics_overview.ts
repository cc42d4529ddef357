// What is shown while no topic is chosen: the largest topics, those to be careful with.
import { element } from "./element";
import { intervalGlyph } from "./interval_glyph";
import { topicButton } from "./topic_button";
import { percent, percentInterval, score } from "./topic_numbers";
import type { Topic, TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

const largestShown = 15;
const doubtfulShown = 8;

function heading(level: number, text: string): HTMLElement {
  const made = document.createElement(`h${level}`);
  made.tabIndex = -1;
  made.textContent = text;
  return made;
}

function row(topic: Topic, model: TopicModel, store: ViewStore, most: number): HTMLElement {
  const interval = percentInterval(topic.low, topic.high);
  const number = element("span", { class: "number" }, percent(topic.share));
  if (interval !== "") number.append(element("span", { class: "visually-hidden" }, `, interval ${interval}`));
  return element(
    "li",
    {},
    topicButton(topic, model, store, intervalGlyph(topic.share, topic.low, topic.high, most), number),
  );
}

/** The sizes of the largest topics; toHelp leads to the explanations. */
export function largestTopics(model: TopicModel, store: ViewStore, level: number, toHelp: HTMLElement): HTMLElement {
  const shown = model.bySize.slice(0, largestShown);
  const most = Math.max(...shown.map((topic) => topic.high ?? topic.share), 1e-12);
  const all = model.data.topics.length;
  // A symmetric prior makes all topics equal: then there is nothing to compare.
  const equal = all > 1 && model.bySize[0]?.share === model.bySize.at(-1)?.share;
  const title =
    all === 1
      ? "One topic"
      : all === shown.length
        ? `The ${all} topics${equal ? "" : " by size"}`
        : `The ${shown.length} ${equal ? "first" : "largest"} of ${all} topics`;
  const sizes =
    model.data.shareOf === "tokens"
      ? "Bars: the part of all the documents' words that belongs to the topic." +
        (model.hasIntervals ? " Whiskers: its 90 % posterior interval." : "")
      : "Without a corpus the sizes are those of the prior; name one to see how much of the text each topic has.";
  return element(
    "section",
    { class: "topics-overview" },
    heading(level, title),
    element("p", { class: "hint" }, "Choose a circle, a row or a word to look closer. New to this? ", toHelp),
    element(
      "ul",
      { class: "topic-rows" },
      ...shown.map((topic) =>
        equal ? element("li", {}, topicButton(topic, model, store)) : row(topic, model, store, most),
      ),
    ),
    element("p", { class: "fine" }, sizes),
  );
}

/** The topics whose words belong together least. */
export function doubtfulTopics(model: TopicModel, store: ViewStore, level: number): HTMLElement {
  const scored = model.data.topics
    .filter((topic) => topic.coherence !== null)
    .sort((a, b) => (a.coherence ?? 0) - (b.coherence ?? 0))
    .slice(0, Math.min(doubtfulShown, Math.ceil(model.data.topics.length / 2)));
  const node = element("section", { class: "topics-doubtful" }, heading(level, "The least coherent topics"));
  if (scored.length === 0) {
    node.append(
      element("p", {}, "Coherence, which tells muddled topics from clear ones, needs documents:"),
      element(
        "pre",
        { tabindex: 0 },
        element("code", {}, `tain lda report ${model.data.model.name} CORPUS -o topics.html`),
      ),
    );
    return node;
  }
  node.append(
    element(
      "p",
      { class: "hint" },
      "Their words share few documents. Such a topic often mixes several things: look at its documents before you rely on it.",
    ),
    element(
      "ul",
      { class: "topic-rows" },
      ...scored.map((topic) =>
        element(
          "li",
          {},
          topicButton(topic, model, store, element("span", { class: "number" }, score(topic.coherence))),
        ),
      ),
    ),
  );
  return node;
}
