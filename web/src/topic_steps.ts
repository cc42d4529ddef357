// Goes from topic to topic by number.
import { element } from "./element";
import type { TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

export function topicSteps(model: TopicModel, store: ViewStore, identity: string): HTMLElement {
  const all = model.data.topics.length;
  const step = (by: number) => () => {
    const topic = model.neighbour(store.current.topic, by);
    if (topic !== null) store.change({ topic: topic.number });
  };
  const input = element("input", {
    id: identity,
    type: "number",
    inputmode: "numeric",
    min: 1,
    max: all,
    placeholder: "–",
    change: () => {
      const topic = input.value === "" ? null : model.topic(Number(input.value));
      if (topic !== null || input.value === "") store.change({ topic: topic?.number ?? null });
      else input.value = String(store.current.topic ?? "");
    },
  });
  const overview = element(
    "button",
    { type: "button", class: "all-topics", click: () => store.change({ topic: null, word: null }) },
    "Overview",
  );
  store.watch(({ topic, word }) => {
    input.value = topic === null ? "" : String(topic);
    overview.disabled = topic === null && word === null;
  });
  return element(
    "div",
    { class: "steps", role: "group", "aria-label": "Choose a topic by number" },
    element(
      "button",
      { type: "button", "aria-label": "Previous topic", title: "Previous topic", click: step(-1) },
      "‹",
    ),
    element("label", { for: identity }, "Topic"),
    input,
    element("span", { class: "steps-of" }, `of ${all}`),
    element("button", { type: "button", "aria-label": "Next topic", title: "Next topic", click: step(1) }, "›"),
    overview,
  );
}
