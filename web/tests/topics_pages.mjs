// Pages with topic explorers: one that the program writes for a small model, and the same with other data in it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, tain } from "./browser.mjs";

let shell;

/** Trains a model of four known topics and writes its page, real.html. */
export function makeRealPage() {
  if (shell !== undefined) return;
  tain("corpus", "synthesize", "-o", "corpus", "--docs", "300", "--topics", "4", "--vocab-size", "120", "--quiet");
  tain("lda", "train", "corpus", "-k", "4", "-o", "model", "--quiet");
  tain("lda", "report", "model", "corpus", "-o", "real.html", "--quiet");
  shell = readFileSync(join(folder, "real.html"), "utf8");
}

/** The program's page with these data in place of its own. */
export function writePage(file, data) {
  makeRealPage();
  const from = shell.indexOf(">", shell.indexOf('type="application/json"')) + 1;
  const to = shell.indexOf("</script>", from);
  // As Page::widget does it.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  writeFileSync(join(folder, file), shell.slice(0, from) + json + shell.slice(to));
}
