// The topic explorer: map of the topics, words by relevance, documents, search.
import "./topics.css";
import "./topics_controls.css";
import { element } from "./element";
import { similarTopics } from "./similar_topics";
import { TopicList } from "./topic_list";
import { TopicMap } from "./topic_map";
import { percent } from "./topic_numbers";
import { topicDocuments, topicPanel } from "./topic_panel";
import { topicSteps } from "./topic_steps";
import { TopicModel, type TopicsData } from "./topics_data";
import { topicsHelp } from "./topics_help";
import { doubtfulTopics, largestTopics } from "./topics_overview";
import { linkToAddress, ViewStore } from "./topics_view";
import { trainingCurve } from "./training_curve";
import { WordSearch } from "./word_search";
import { wordTopics } from "./word_topics";
import "./topics_print.css";

/** Headings of the explorer are below the one that it stands under. */
function headingLevel(container: HTMLElement): number {
  const above = container.closest("section")?.querySelector("h2, h3, h4");
  return above ? Math.min(6, Number(above.tagName.slice(1)) + 1) : 2;
}

/** Says changes to those who cannot see them. */
function announcer(model: TopicModel, store: ViewStore): HTMLElement {
  const node = element("p", { class: "visually-hidden", role: "status" });
  store.watch((now, before) => {
    const topic = model.topic(now.topic);
    if (now.word !== before.word && now.word !== null) {
      const best = model.topicsOf(now.word)[0];
      node.textContent =
        `Word ${model.word(now.word)}` +
        (best === undefined ? "" : `: mostly in topic ${best.topic.number}, ${percent(best.share)}`);
    } else if (now.topic !== before.topic) {
      node.textContent =
        topic === null
          ? "Overview of all topics"
          : `Topic ${topic.number}: ${model.name(topic)}; ${percent(topic.share)}`;
    }
  });
  return node;
}

/** One of two parts, by whether a topic is chosen. */
function either(store: ViewStore, chosen: HTMLElement, none: HTMLElement, area: string): HTMLElement {
  store.watch(({ topic }) => {
    chosen.hidden = topic === null;
    none.hidden = topic !== null;
  });
  return element("div", { class: area }, chosen, none);
}

/** Whoever chooses a topic inside a part that is then replaced is taken to the heading of the topic. */
function keepFocus(store: ViewStore, container: HTMLElement, build: () => void): void {
  let inside = false;
  store.watch(() => (inside = document.activeElement?.closest(".area-panel, .similar-topics") != null));
  build();
  store.watch((now, before) => {
    if (!inside || now.topic === before.topic) return;
    container.querySelector<HTMLElement>(".area-panel > :not([hidden]) > [tabindex='-1']")?.focus();
  });
}

let explorers = 0;

export function showTopics(container: HTMLElement, data: TopicsData): void {
  const model = new TopicModel(data);
  const store = new ViewStore();
  const identity = `topics-${++explorers}`;
  const level = headingLevel(container);
  const help = topicsHelp(model, level);
  // A page has one address: where it shows several models, it is the first one's.
  const linked = explorers === 1 && linkToAddress(store, model);
  container.classList.add("topics");
  container.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const nothing = { pointedTopic: null, pointedWord: null };
    store.change(store.current.word !== null ? { word: null, ...nothing } : { topic: null, ...nothing });
  });
  keepFocus(store, container, () => {
    container.append(
      element(
        "div",
        { class: "topics-bar", role: "search", "aria-label": "Find words and topics" },
        new WordSearch(model, store, `${identity}-search`).node,
        topicSteps(model, store, `${identity}-number`),
      ),
      element(
        "div",
        { class: "topics-grid" },
        element(
          "div",
          { class: "area-map" },
          element(
            "div",
            { class: "map-side" },
            new TopicMap(model, store).node,
            wordTopics(model, store, level),
            similarTopics(model, store, level),
          ),
        ),
        either(
          store,
          topicPanel(model, store, identity, level),
          largestTopics(model, store, level, help.link),
          "area-panel",
        ),
        new TopicList(model, store, identity, level).node,
        either(store, topicDocuments(model, store, level), doubtfulTopics(model, store, level), "area-more"),
        help.node,
        trainingCurve(data.history, level),
      ),
      announcer(model, store),
    );
  });
  // Whoever follows a link to a view wants to see it, not the top of the page.
  if (linked) container.scrollIntoView();
}
