// A box that finds words as they are typed and chooses one (combobox with a list).
import { element } from "./element";
import { count, percent } from "./topic_numbers";
import type { TopicModel } from "./topics_data";
import type { ViewStore } from "./topics_view";
import { WordIndex } from "./word_index";

const shownMatches = 10;

/** Why nothing was found: the page does not hold all words of the model. */
export function nothingFound(text: string, model: TopicModel): string {
  const { words, wordsLeftOut } = model.data;
  return wordsLeftOut === 0
    ? `“${text}” is not among the model's ${count(model.data.model.words)} words.`
    : `“${text}” is not among the ${count(words.length)} words of this page; ` +
        `it may be one of the ${count(wordsLeftOut)} rare words left out of it.`;
}

export class WordSearch {
  readonly node: HTMLElement;
  private readonly index: WordIndex;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLUListElement;
  private readonly none = element("p", { class: "search-none", role: "status" });
  private readonly clear: HTMLButtonElement;
  private matches: number[] = [];
  private active = -1;

  constructor(
    private readonly model: TopicModel,
    private readonly store: ViewStore,
    private readonly identity: string,
  ) {
    this.index = new WordIndex(model.data.words, model.data.p);
    this.list = element("ul", { id: `${identity}-list`, role: "listbox", "aria-label": "Words found", hidden: true });
    this.input = element("input", {
      id: identity,
      type: "text",
      role: "combobox",
      placeholder: "Find a word",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      dir: "auto",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-controls": `${identity}-list`,
      input: () => this.search(),
      keydown: (event: KeyboardEvent) => this.key(event),
      focus: () => this.input.select(),
      blur: () => this.close(),
    });
    this.clear = element(
      "button",
      { type: "button", class: "search-clear", "aria-label": "Clear the word", click: () => this.empty() },
      "×",
    );
    this.node = element(
      "div",
      { class: "search" },
      element("label", { for: identity, class: "visually-hidden" }, "Find a word"),
      this.input,
      this.clear,
      this.list,
      this.none,
    );
    store.watch((now, before) => {
      if (now.word !== before.word || now === before) this.input.value = now.word === null ? "" : model.word(now.word);
      this.clear.hidden = this.input.value === "";
      if (now.word !== before.word) this.none.textContent = "";
    });
  }

  private search(): void {
    const text = this.input.value.trim();
    this.clear.hidden = text === "";
    this.matches = this.index.find(text, shownMatches);
    this.none.textContent = text !== "" && this.matches.length === 0 ? nothingFound(text, this.model) : "";
    this.list.replaceChildren(...this.matches.map((word, at) => this.option(word, at)));
    this.open(this.matches.length > 0);
    this.activate(-1);
    if (text === "") this.store.change({ word: null });
  }

  private option(word: number, at: number): HTMLLIElement {
    const best = this.model.topicsOf(word)[0];
    const where = best === undefined ? "" : `topic ${best.topic.number}: ${percent(best.share)}`;
    return element(
      "li",
      {
        id: `${this.identity}-${at}`,
        role: "option",
        "aria-selected": "false",
        // Before the box loses the focus and closes the list.
        pointerdown: (event: PointerEvent) => {
          event.preventDefault();
          this.choose(word);
        },
        pointermove: () => this.activate(at),
      },
      element("bdi", {}, this.model.word(word)),
      element("small", {}, where),
    );
  }

  private key(event: KeyboardEvent): void {
    const open = !this.list.hidden;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      if (!open) this.search();
      const size = this.matches.length;
      if (size > 0) this.activate(this.active < 0 && step < 0 ? size - 1 : (this.active + step + size) % size);
    } else if (event.key === "Enter") {
      const word = this.matches[Math.max(0, this.active)];
      if (open && word !== undefined) this.choose(word);
    } else if (event.key === "Escape" && (open || this.none.textContent !== "")) {
      this.close();
      this.none.textContent = "";
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  }

  private activate(at: number): void {
    this.list.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = at;
    const option = this.list.children[at];
    option?.setAttribute("aria-selected", "true");
    if (option === undefined) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", option.id);
    this.store.change({ pointedWord: this.matches[at] ?? null });
  }

  private choose(word: number): void {
    this.close();
    this.store.change({ word });
    this.input.value = this.model.word(word);
    this.clear.hidden = false;
  }

  private empty(): void {
    this.store.change({ word: null });
    this.input.value = "";
    this.clear.hidden = true;
    this.none.textContent = "";
    this.input.focus();
  }

  private open(shown: boolean): void {
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  private close(): void {
    this.activate(-1);
    this.open(false);
  }
}
