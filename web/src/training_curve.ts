// Held-out perplexity while the model was trained: the topics of each moment, and the average of the predictions with its error.
import "./training_curve.css";
import * as Plot from "@observablehq/plot";
import { format } from "d3";
import { element } from "./element";
import { count } from "./topic_numbers";
import type { History } from "./topics_data";

interface Evaluation {
  documents: number;
  perplexity: number;
  error: number;
  average: number;
  averageError: number;
}

export function evaluations(history: History): Evaluation[] {
  return history.documents.map((documents, i) => ({
    documents,
    perplexity: history.perplexity[i] ?? NaN,
    error: history.error[i] ?? 0,
    average: history.average[i] ?? NaN,
    averageError: history.averageError[i] ?? 0,
  }));
}

/** Whole numbers from 100 on, one decimal below. */
export function withError(value: number, error: number): string {
  const text = (number: number): string => (value < 100 ? number.toFixed(1) : count(Math.round(number)));
  return `${text(value)} ± ${text(error)}`;
}

/** The values that the axis has to hold, and whether it is better logarithmic. */
export function curveScale(points: readonly Evaluation[]): { domain: [number, number]; type: "linear" | "log" } {
  const low = Math.min(...points.map((point) => Math.min(point.perplexity, point.average - point.averageError)));
  const high = Math.max(...points.map((point) => Math.max(point.perplexity, point.average + point.averageError)));
  const room = 0.04 * (high - low || high || 1);
  return { domain: [Math.max(1, low - room), high + room], type: high > 3 * low ? "log" : "linear" };
}

function plot(points: Evaluation[], width: number): Element {
  const height = Math.round(Math.min(320, Math.max(220, 0.5 * width)));
  const label = (point: Evaluation): string =>
    [
      `${count(point.documents)} documents`,
      `single draw  ${withError(point.perplexity, point.error)}`,
      `average  ${withError(point.average, point.averageError)}`,
    ].join("\n");
  const drawing = Plot.plot({
    width,
    height,
    marginLeft: 52,
    marginBottom: 40,
    ariaLabel: "Held-out perplexity against documents seen; the numbers are below",
    style: { background: "transparent", color: "var(--muted)", fontSize: "12px", overflow: "visible" },
    x: {
      label: "documents seen",
      labelArrow: "none",
      tickFormat: format("~s"),
      ticks: Math.max(3, Math.round(width / 110)),
      nice: true,
      insetLeft: 6,
    },
    y: { label: null, ...curveScale(points), grid: true, tickFormat: format(","), ticks: 5 },
    marks: [
      Plot.areaY(points, {
        x: "documents",
        y1: (point: Evaluation) => point.average - point.averageError,
        y2: (point: Evaluation) => point.average + point.averageError,
        fill: "var(--c0)",
        fillOpacity: 0.16,
      }),
      Plot.lineY(points, { x: "documents", y: "perplexity", stroke: "var(--c1)", strokeWidth: 1.2 }),
      Plot.dot(points, { x: "documents", y: "perplexity", fill: "var(--c1)", r: points.length > 60 ? 1.5 : 2.5 }),
      Plot.lineY(points, { x: "documents", y: "average", stroke: "var(--c0)", strokeWidth: 2 }),
      Plot.ruleX(points, Plot.pointerX({ x: "documents", stroke: "var(--axis)", maxRadius: 60 })),
      Plot.tip(points, Plot.pointerX({ x: "documents", y: "average", title: label, maxRadius: 60 })),
    ],
  });
  // One picture with one name: the names of its parts would not be heard.
  drawing.setAttribute("role", "img");
  for (const part of drawing.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return drawing;
}

function table(points: readonly Evaluation[]): HTMLElement {
  const head = ["Documents seen", "Single draw", "Average"].map((name) =>
    element("th", { scope: "col", class: "number" }, name),
  );
  const rows = points.map((point) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, count(point.documents)),
      element("td", { class: "number" }, withError(point.perplexity, point.error)),
      element("td", { class: "number" }, withError(point.average, point.averageError)),
    ),
  );
  return element(
    "details",
    {},
    element("summary", {}, "The numbers"),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Held-out perplexity in numbers" },
      element(
        "table",
        {},
        element("caption", { class: "visually-hidden" }, "Held-out perplexity, with standard errors"),
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows),
      ),
    ),
  );
}

export function trainingCurve(history: History | null, level: number): HTMLElement {
  const heading = document.createElement(`h${level}`);
  heading.textContent = "How training went";
  const node = element("section", { class: "training-curve" }, heading);
  const points = history === null ? [] : evaluations(history);
  if (points.length === 0) {
    node.append(
      element(
        "p",
        { class: "fine" },
        "No held-out documents were set aside while this model was trained, so there is no curve.",
      ),
    );
    return node;
  }
  const frame = element("div", { class: "curve-frame" });
  const key = (kind: string, text: string): HTMLElement => element("span", {}, element("i", { class: kind }), text);
  node.append(
    element(
      "p",
      { class: "hint" },
      "Perplexity: among how many equally likely words the model hesitates when it predicts unseen text. " +
        "Lower is better; a flat end means that longer training would not help.",
    ),
    element(
      "p",
      { class: "legend" },
      key("key-single", "topics at the time"),
      key("key-average", "average of the predictions ± standard error"),
    ),
    frame,
    table(points),
  );
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.round(frame.clientWidth);
    if (now === 0 || now === width) return;
    width = now;
    frame.replaceChildren(plot(points, width));
  }).observe(frame);
  return node;
}
