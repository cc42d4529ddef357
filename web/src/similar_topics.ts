// Topics whose words are most like those of the chosen topic.
import { element } from "./element";
import { topicButton } from "./topic_button";
import type { TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

export function similarTopics(model: TopicModel, store: ViewStore, level: number): HTMLElement {
  const heading = document.createElement(`h${level}`);
  const list = element("ul", { class: "topic-rows" });
  const node = element("section", { class: "similar-topics" }, heading, list);
  store.watch((now, before) => {
    if (now.topic === before.topic && now !== before) return;
    const topic = model.topic(now.topic);
    const similar = (topic?.similar ?? []).map((number) => model.topic(number)).filter((other) => other !== null);
    node.hidden = topic === null || similar.length === 0;
    heading.textContent = `Topics like ${topic?.number ?? ""}`;
    list.replaceChildren(...similar.map((other) => element("li", {}, topicButton(other, model, store))));
  });
  return node;
}
