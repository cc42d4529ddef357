// Makes elements of the document: element("p", { class: "note" }, "text", child).

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** Attributes that are functions become listeners ("click": f); false, null and undefined are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value as EventListener);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}
