// The topics of the chosen word, the largest part first.
import { element } from "./element";
import { intervalGlyph } from "./interval_glyph";
import { topicButton } from "./topic_button";
import { count, percent } from "./topic_numbers";
import type { TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";

const shownTopics = 6;

export function wordTopics(model: TopicModel, store: ViewStore, level: number): HTMLElement {
  const node = element("section", { class: "word-topics" });
  store.watch((now, before) => {
    if (now.word === before.word && now !== before) return;
    node.hidden = now.word === null;
    if (now.word === null) return;
    const shares = model.topicsOf(now.word);
    const shown = shares.slice(0, shownTopics);
    const most = shown[0]?.share ?? 1;
    const rest = 1 - shown.reduce((sum, { share }) => sum + share, 0);
    const heading = document.createElement(`h${level}`);
    heading.append("Where “", element("bdi", {}, model.word(now.word)), "” belongs");
    node.replaceChildren(
      heading,
      element(
        "ul",
        { class: "topic-rows" },
        ...shown.map(({ topic, share }) =>
          element(
            "li",
            {},
            topicButton(
              topic,
              model,
              store,
              intervalGlyph(share, null, null, most),
              element("span", { class: "number" }, percent(share)),
            ),
          ),
        ),
      ),
      element(
        "p",
        { class: "fine" },
        `${percent(model.data.p[now.word] ?? 0)} of all tokens are this word. ` +
          (model.data.topics.length > shown.length && rest > 0.0005
            ? `The other ${count(model.data.topics.length - shown.length)} topics share ${percent(rest)} of it.`
            : ""),
        " ",
        element(
          "button",
          { type: "button", class: "link", click: () => store.change({ word: null }) },
          "Forget the word",
        ),
      ),
    );
  });
  return node;
}
