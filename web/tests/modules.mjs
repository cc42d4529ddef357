// Loads modules of the page program into a test, without a browser.
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** load("relevance", "word_index"): what these files of src/ export, in one object. */
export async function load(...names) {
  const bundle = await build({
    stdin: {
      contents: names.map((name) => `export * from "./${name}";`).join("\n"),
      resolveDir: join(dirname(fileURLToPath(import.meta.url)), "..", "src"),
    },
    bundle: true,
    format: "esm",
    loader: { ".css": "empty" },
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);
}
