// A button beside every command of the page that copies it.
import "./copy_button.css";
import { element } from "./element";

/** Copies, or selects the text for people to copy where the browser forbids it. */
async function copy(code: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

export function addCopyButtons(): void {
  for (const code of document.querySelectorAll<HTMLElement>("pre > code")) {
    const button = element("button", { type: "button", class: "copy-button", "aria-live": "polite", click: () => void copy(code, button) }, "Copy");
    code.parentElement?.after(button);
  }
}
