// What the explorer shows, and the same as the end of the page's address, so that a view can be linked.
import { usualLambda, type TopicModel } from "./topics_data";

export interface View {
  topic: number | null;
  word: number | null;
  lambda: number;
  /** What the pointer or the focus is at; not part of the address. */
  pointedTopic: number | null;
  pointedWord: number | null;
}

export const firstView: View = {
  topic: null,
  word: null,
  lambda: usualLambda,
  pointedTopic: null,
  pointedWord: null,
};

/** "#topic=12&word=ship&lambda=0.6"; empty if there is nothing to say. */
export function addressOf(view: View, model: TopicModel): string {
  const parts: string[] = [];
  if (view.topic !== null) parts.push(`topic=${view.topic}`);
  if (view.word !== null) parts.push(`word=${encodeURIComponent(model.word(view.word))}`);
  if (view.lambda !== usualLambda) parts.push(`lambda=${view.lambda}`);
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}

/** The view that an address names; null if it names something else, an anchor say. Unknown values are left out. */
export function viewOf(address: string, model: TopicModel): Partial<View> | null {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  if (!["topic", "word", "lambda"].some((key) => parts.has(key))) return null;
  // The slider knows tenths.
  const lambda = Math.round(10 * Number(parts.get("lambda") ?? usualLambda)) / 10;
  return {
    topic: model.topic(Number(parts.get("topic") ?? 0))?.number ?? null,
    word: model.wordNumber(parts.get("word") ?? ""),
    lambda: lambda >= 0 && lambda <= 1 ? lambda : usualLambda,
  };
}

type Listener = (now: View, before: View) => void;

/** The view and who wants to know of its changes. */
export class ViewStore {
  private view: View = firstView;
  private readonly listeners: Listener[] = [];

  get current(): View {
    return this.view;
  }

  /** Calls the listener at once, and at every change. */
  watch(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.view, this.view);
  }

  change(part: Partial<View>): void {
    const before = this.view;
    const now = { ...before, ...part };
    if ((Object.keys(now) as (keyof View)[]).every((key) => now[key] === before[key])) return;
    this.view = now;
    for (const listener of this.listeners) listener(now, before);
  }
}

/** Keeps the page's address and the store together; tells whether the address named a view. */
export function linkToAddress(store: ViewStore, model: TopicModel): boolean {
  const read = (): boolean => {
    const view = viewOf(location.hash, model);
    if (view !== null) store.change(view);
    return view !== null;
  };
  let waiting = 0;
  const linked = read();
  window.addEventListener("hashchange", read);
  store.watch((now, before) => {
    if (now.topic === before.topic && now.word === before.word && now.lambda === before.lambda) return;
    // A dragged slider would write faster than browsers allow.
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      history.replaceState(null, "", addressOf(now, model) || location.pathname + location.search);
    }, 150);
  });
  return linked;
}
