// A button that chooses a topic: its number and its first words.
import { element } from "./element";
import type { Topic, TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

export function topicButton(
  topic: Topic,
  model: TopicModel,
  store: ViewStore,
  ...more: HTMLElement[]
): HTMLButtonElement {
  return element(
    "button",
    {
      type: "button",
      class: `topic-button parts-${more.length}`,
      title: `Topic ${topic.number}: ${model.name(topic, 10)}`,
      click: () => store.change({ topic: topic.number }),
      pointerenter: () => store.change({ pointedTopic: topic.number }),
      pointerleave: () => store.change({ pointedTopic: null }),
      // The list that it stands in may vanish under the pointer.
      pointerdown: () => store.change({ pointedTopic: null }),
    },
    element("span", { class: "visually-hidden" }, "Topic "),
    element("span", { class: "topic-number" }, String(topic.number)),
    element("bdi", { class: "topic-name" }, model.name(topic)),
    ...more,
  );
}
