// Opens pages of the program in headless Chromium and watches what they do.
//
//   TAIN      the program whose pages are tested
//   CHROMIUM  the browser, if not chromium on the path
//   SHOTS     a folder that gets pictures of the pages, for people to look at; none if not set
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** A folder of its own for a test's files; removed when the process ends. */
export const folder = mkdtempSync(join(tmpdir(), "tain-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Milliseconds: a guard, never what a test waits for. */
const HANGS = 300_000;

/** Variables that would change what the program does or prints. */
const FOREIGN = /^(TAIN_|OMPI_|PMIX_|PMI_|SLURM_|LC_|LANG|NO_COLOR|TERM|COLUMNS)/;
const variables = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))), LC_ALL: "C.UTF-8", TZ: "UTC" };

/** Runs the program in that folder and returns what it prints. */
export function tain(...words) {
  return execFileSync(process.env.TAIN, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: variables });
}

let browser;

/** One browser for all pages of a test file. */
export async function start() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Root cannot have the sandbox; containers have little shared memory.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    // A home of its own, which the browser may write to.
    env: { ...variables, HOME: folder },
    timeout: HANGS,
  });
}
export async function stop() {
  await browser?.close();
}

/** Opens a file, at a place in it if a hash is given; `problems` gathers console errors, exceptions and requests to anywhere but the file itself. */
export async function open(file, { hash = "", width = 1280, height = 900, dark = false, script = true, reducedMotion = "reduce" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    javaScriptEnabled: script,
    reducedMotion,
    offline: true,
  });
  context.setDefaultTimeout(HANGS);
  const page = await context.newPage();
  const problems = [];
  const address = pathToFileURL(join(folder, file)).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address && !request.url().startsWith("data:")) problems.push(`request: ${request.url()}`);
  });
  await page.goto(address + hash);
  if (script) await settled(page);
  return { page, problems, close: () => context.close() };
}

/** Until plots have the room that the window leaves them: they hear of it in one frame and are drawn again in the next. */
export async function settled(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; ++frame) await new Promise((done) => requestAnimationFrame(done));
  });
}

/** Nothing may be wider than the window: a page scrolls down only. */
export async function assertFits(page) {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`);
}

/** A picture for people, where SHOTS asks for it. */
export async function shoot(page, name, options = { fullPage: true }) {
  if (!process.env.SHOTS) return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), ...options });
}
