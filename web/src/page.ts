// The program of a page: finds the containers that the C++ side wrote (report/page.cpp) and lets each kind of
// widget fill its own from the JSON inside it.
import "./page.css";
import { addCopyButtons } from "./copy_button";
import { showDraws } from "./draws";
import { showTopics } from "./topics";
import { element } from "./element";

const kinds: Record<string, (container: HTMLElement, data: never) => void> = {
  draws: showDraws,
  topics: showTopics,
};

for (const container of document.querySelectorAll<HTMLElement>(".widget")) {
  const show = kinds[container.dataset["kind"] ?? ""];
  const source = container.querySelector('script[type="application/json"]');
  if (show === undefined || source === null) continue;
  try {
    show(container, JSON.parse(source.textContent ?? "null") as never);
  } catch (error) {
    // The static parts of the page still stand; say what happened where the widget would be.
    container.append(element("p", { class: "widget-problem", role: "alert" }, `This part cannot be shown: ${String(error)}`));
    console.error(error);
  }
}
addCopyButtons();
