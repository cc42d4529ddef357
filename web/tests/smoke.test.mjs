// The least that pages have to do, in a few seconds: load alone and in silence, and answer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFits, open, shoot, start, stop, tain } from "./browser.mjs";
import { makeRealPage } from "./topics_pages.mjs";

before(start);
after(stop);

test("topics: search finds a word, the slider reorders, a click changes the panel", async () => {
  makeRealPage();
  const { page, problems, close } = await open("real.html");
  const words = () => page.locator(".word-row .word-text").allTextContents();
  await page.locator(".map-frame").scrollIntoViewIfNeeded();
  const disc = await page.locator('[data-topic="2"] .map-disc').boundingBox();
  await page.mouse.click(disc.x + disc.width / 2, disc.y + disc.height / 2);
  assert.equal(await page.locator(".topic-panel .topic-number").first().textContent(), "Topic 2");
  const first = await words();
  await page.locator(".topics").getByRole("slider").focus();
  await page.keyboard.press("Home");
  assert.notDeepEqual(await words(), first);
  await page.locator(".topics").getByRole("combobox").fill(first[0]);
  await page.keyboard.press("Enter");
  assert.ok((await page.locator(".word-topics").textContent()).includes(first[0]));
  assert.deepEqual(problems, []);
  await assertFits(page);
  await shoot(page, "smoke-topics");
  await close();
});

test("a run: choosing a coordinate changes its plots", async () => {
  tain("sample", "--target", "dirichlet", "--counts", "12,3,0,5", "--alpha", "0.5", "--draws", "200", "--report", "run.html", "--quiet");
  const { page, problems, close } = await open("run.html");
  const trace = page.getByRole("img", { name: /^Traces of/ });
  assert.match(await trace.getAttribute("aria-label"), /x\[1\]/);
  await page.getByRole("button", { name: "Next coordinate" }).click();
  assert.match(await trace.getAttribute("aria-label"), /x\[2\]/);
  assert.ok(await page.getByRole("img", { name: /^Ternary/ }).isVisible());
  assert.deepEqual(problems, []);
  await assertFits(page);
  await shoot(page, "smoke-run");
  await close();
});
