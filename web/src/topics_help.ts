// How to read the explorer, for whoever sees one for the first time.
import { element } from "./element";
import { count } from "./topic_numbers";
import type { TopicModel } from "./topics_data";

function terms(model: TopicModel): [term: string, meaning: string][] {
  const { draws } = model.data.model;
  const whole =
    model.data.shareOf === "tokens" ? "all words in the documents" : "the prior, since no documents were given";
  return [
    [
      "Topic",
      "A set of words that tend to occur in the same documents. Every document mixes a few topics. The program finds " +
        "them by itself and cannot name them, so a topic goes by its number and its first words.",
    ],
    [
      "Circle",
      `A topic. Its area is the topic's share of ${whole}` +
        `${model.hasIntervals ? "; the thicker its rim, the less certain" : ""}. ` +
        "Topics with similar words lie close together.",
    ],
    [
      "Posterior interval",
      model.hasIntervals
        ? "Tain does not compute one answer but draws many that agree with the data, " +
          `here ${count(draws)}. In 90 % of them the value was inside the interval. A wide one means: the data leave this open. ` +
          "All draws are of one run: another seed may find other topics, which no interval here tells."
        : "Models that keep several draws show how sure each number is. " +
          "This one has too few for that, so there are no intervals: train with --keep-draws 10 or more.",
    ],
    [
      "Order of the words",
      "To the right the words that the topic uses most, common words among them; to the left those that hardly any " +
        "other topic uses. λ = 0.6 is a good middle.",
    ],
    [
      "Coherence",
      "Do the topic's ten main words occur in the same documents? 1: always together, 0: as by chance, −1: never. " +
        "Close to 0, do not trust the topic.",
    ],
    ["Exclusivity", "Do these words belong to this topic only? 1: to it alone; small: other topics use them too."],
    [
      "Keys",
      "Tab to the map, arrow keys from circle to circle, Enter to choose, Escape to go back. " +
        "The address of the page remembers what is chosen.",
    ],
  ];
}

/** The explanations, and a button that leads there. */
export function topicsHelp(model: TopicModel, level: number): { node: HTMLElement; link: HTMLElement } {
  const heading = document.createElement(`h${level}`);
  heading.tabIndex = -1;
  heading.textContent = "How to read this";
  const meanings = terms(model).flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]);
  return {
    node: element("section", { class: "topics-help" }, heading, element("dl", {}, ...meanings)),
    link: element("button", { type: "button", class: "link", click: () => heading.focus() }, "How to read this"),
  };
}
