// What the map of topics shows just now, in words.
import { element } from "./element";
import { percent } from "./topic_numbers";
import type { TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

export function mapCaption(model: TopicModel, store: ViewStore): HTMLElement {
  const { map, shareOf, topics } = model.data;
  const explained = map.explained.reduce((sum, part) => sum + part, 0);
  const usual =
    `Area: share of ${shareOf === "tokens" ? "all tokens" : "the prior"}.` +
    (model.hasIntervals ? " Rim: its 90 % posterior interval." : "") +
    (topics.length > 2
      ? ` Close circles use similar words (${map.measure}; two dimensions show ${percent(explained)} of the differences).`
      : "");
  const node = element("p", { class: "map-caption" });
  store.watch((now, before) => {
    const word = now.pointedWord ?? now.word;
    if (word === (before.pointedWord ?? before.word) && now !== before) return;
    node.replaceChildren(
      ...(word === null
        ? [usual]
        : ["Colour: how much of “", element("bdi", {}, model.word(word)), "” each topic has. Area: share, as before."]),
    );
  });
  return node;
}
