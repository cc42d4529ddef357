// Bundles the page program and writes it as C++: node build.mjs FOLDER
//
//   FOLDER/page_program.js, page_program.css   what goes into a page
//   FOLDER/page_program.cpp                    the same as constants, compiled into the report room
import { build } from "esbuild";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "build", "web");

const bundle = await build({
  absWorkingDir: here,
  entryPoints: { page_program: "src/page.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
  outdir: out,
});

/** The licence texts of the packages inside the bundle, each once, with the packages it covers. */
async function notices(inputs) {
  const packages = new Set();
  for (const input of Object.keys(inputs)) {
    const match = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (match) packages.add(match[1]);
  }
  const byText = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = file ? (await readFile(join(folder, file), "utf8")).trim() : `${about.license} licence`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${about.version}`]);
  }
  return [...byText].map(([text, names]) => `${names.join(", ")}\n\n${text}`).join("\n\n---\n\n");
}

const text = (ending) => bundle.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
const licences = (await notices(bundle.metafile.inputs)).replaceAll("*/", "* /");
const script = `/*\n${licences}\n*/\n${text(".js")}`;
const style = text(".css");
for (const [kind, content] of [["script", script], ["style", style]]) {
  // Either would end the element of the page that holds it.
  if (/<\/(script|style)|<!--/i.test(content)) throw new Error(`the ${kind} contains the end of its own element`);
}

const literal = (content) => {
  const delimiter = "tain_web";
  if (content.includes(`)${delimiter}"`)) throw new Error("the program contains the delimiter of its literal");
  return `R"${delimiter}(${content})${delimiter}"`;
};
await mkdir(out, { recursive: true });
await writeFile(join(out, "page_program.js"), script);
await writeFile(join(out, "page_program.css"), style);
await writeFile(
  join(out, "page_program.cpp"),
  `// Made by web/build.mjs.
#include "page_program.hpp"

namespace tain::report {

std::string_view page_program() { return ${literal(script)}; }

std::string_view page_program_style() { return ${literal(style)}; }

}  // namespace tain::report
`,
);
console.log(`page program: ${Math.round(script.length / 1024)} KiB, style ${Math.round(style.length / 1024)} KiB`);
