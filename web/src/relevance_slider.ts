// Chooses lambda: words that the topic uses most, or words that only it uses.
import { element } from "./element";
import type { ViewStore } from "./topics_view";

function meaning(lambda: number): string {
  if (lambda >= 0.95) return "the most frequent words of the topic";
  if (lambda <= 0.05) return "the words that hardly occur elsewhere";
  return "frequent in the topic, rarer elsewhere";
}

export function relevanceSlider(store: ViewStore, identity: string): HTMLElement {
  const value = element("output", { for: identity });
  // The page holds the words that come first at tenths.
  const input = element("input", {
    id: identity,
    type: "range",
    min: 0,
    max: 1,
    step: 0.1,
    input: () => store.change({ lambda: Number(input.value) }),
  });
  const ticks = Array.from({ length: 11 }, () => element("span", {}));
  store.watch(({ lambda }) => {
    input.value = String(lambda);
    input.setAttribute("aria-valuetext", `${lambda}: ${meaning(lambda)}`);
    value.textContent = `λ = ${lambda.toFixed(1)}`;
  });
  return element(
    "div",
    { class: "slider" },
    element("label", { for: identity }, "Order of the words"),
    value,
    input,
    element("div", { class: "slider-ticks", "aria-hidden": "true" }, ...ticks),
    element(
      "div",
      { class: "slider-ends", "aria-hidden": "true" },
      element("span", {}, "only here"),
      element("span", {}, "most frequent"),
    ),
  );
}
