// The pages of sampling runs: plots follow what is chosen, in every width, in light and dark, by keyboard.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertFits, folder, open, shoot, start, stop, tain } from "./browser.mjs";

const paper = ["--target", "dirichlet", "--counts", "10000,10,10,0,0,0,0,0,0,0,0", "--alpha", "0.1"];
const runs = {
  good: [...paper, "--exact"],
  bad: ["--target", "dirichlet", "--counts", "100,10,10,3,0", "--alpha", "0.5", "--kernel", "mld", "--step-size", "0.06", "--warmup", "20", "--draws", "150", "--thin", "1"],
  many: ["--target", "dirichlet", "--alpha", "0.5", "--dim", "1000", "--draws", "200", "--chains", "12"],
  box: ["--target", "uniform", "--set", "box", "--lower", "-1,0,2", "--upper", "1,inf,3", "--target", "gaussian", "--draws", "400"],
  ball: ["--target", "gaussian", "--dim", "3", "--sd", "0.7", "--set", "ball", "--draws", "400"],
  batches: ["--target", "dirichlet", "--counts", "400,300,200", "--alpha", "1", "--kernel", "smld", "--batch", "90", "--step-size", "0.0004", "--draws", "300"],
  single: ["--target", "gaussian", "--dim", "1", "--chains", "1", "--draws", "4"],
};

before(async () => {
  await start();
  for (const [name, words] of Object.entries(runs)) {
    tain("sample", ...words, "-o", `${name}.nc`, "--report", `${name}.html`, "--quiet");
  }
  // What no sampler of ours writes: a constant, and a value that is not finite.
  const rows = Array.from({ length: 80 }, (_, i) => `${1 + Math.floor(i / 40)},2.5,${i === 50 ? "nan" : Math.sin(i * i)},${Math.cos(3 * i * i)}`);
  writeFileSync(join(folder, "odd.csv"), ["chain__,constant,broken,fine", ...rows].join("\n") + "\n");
  tain("report", "odd.csv", "-o", "odd.html", "--quiet");
});
after(stop);

const figure = (page, title) => page.locator(".draws-figure", { has: page.locator(".draws-title", { hasText: title }) });
const label = async (page, title) => figure(page, title).locator('[role="img"]').first().getAttribute("aria-label");
const coordinate = (page) => page.getByLabel("Coordinate", { exact: true });

for (const name of Object.keys(runs)) {
  for (const [width, dark] of [[1280, false], [1280, true], [360, false], [2000, true]]) {
    test(`${name}, ${width} px, ${dark ? "dark" : "light"}: loads in silence and fits`, async () => {
      const { page, problems, close } = await open(`${name}.html`, { width, dark });
      await page.waitForSelector(".draws-figure svg");
      assert.deepEqual(problems, []);
      await assertFits(page);
      assert.equal(await page.locator(".widget-problem").count(), 0);
      // No plot is wider than its place.
      const over = await page.evaluate(() =>
        [...document.querySelectorAll(".draws-plot")].filter((place) => place.scrollWidth > place.clientWidth + 1).length,
      );
      assert.equal(over, 0);
      await shoot(page, `draws-${name}-${width}${dark ? "-dark" : ""}`);
      await close();
    });
  }
}

test("choosing a coordinate changes its plots, numbers and pairs", async () => {
  const { page, problems, close } = await open("good.html");
  assert.match(await label(page, "Traces"), /x\[1\]/);
  await coordinate(page).selectOption({ label: "x[3]" });
  for (const title of ["Traces", "Autocorrelation", "Distribution"]) assert.match(await label(page, title), /x\[3\]/, title);
  assert.match(await page.locator(".draws-facts").innerText(), /^x\[3\]: mean .*R-hat 1\.0/);
  assert.match(await label(page, "On the set"), /x\[3\]/);
  await page.getByRole("button", { name: "Next coordinate" }).click();
  assert.match(await label(page, "Traces"), /x\[4\]/);
  await page.getByRole("button", { name: "Previous coordinate" }).click();
  assert.match(await label(page, "Traces"), /x\[3\]/);
  await page.getByLabel("Find a coordinate by name").fill("x[1");
  assert.deepEqual(await coordinate(page).locator("option").allInnerTexts(), ["x[1]", "x[10]", "x[11]"]);
  assert.match(await label(page, "Traces"), /x\[1\]/);
  await page.getByLabel("Find a coordinate by name").fill("nobody");
  assert.match(await coordinate(page).innerText(), /no such name/);
  assert.deepEqual(problems, []);
  await close();
});

test("a dot of the overview chooses its coordinate", async () => {
  const { page, close } = await open("good.html");
  const strip = figure(page, "R-hat of all").locator("svg");
  const box = await strip.boundingBox();
  await strip.click({ position: { x: box.width - 14, y: box.height / 2 } });
  assert.equal(await coordinate(page).inputValue(), "10");
  await close();
});

test("coordinates can be ordered by what is worst", async () => {
  const { page, close } = await open("bad.html");
  await page.getByLabel("Order of coordinates").selectOption("rhat");
  const first = (await coordinate(page).locator("option").allInnerTexts())[0];
  const worst = await page.evaluate(() => {
    const data = JSON.parse(document.querySelector('.widget script[type="application/json"]').textContent);
    return data.coordinates.reduce((a, b) => (b.rhat > a.rhat ? b : a)).name;
  });
  assert.equal(first, worst);
  await close();
});

test("tiny shares are shown on a logarithmic scale, which can be switched off", async () => {
  const { page, close } = await open("good.html");
  await coordinate(page).selectOption({ label: "x[5]" });
  const log = page.getByLabel("Logarithmic scale");
  assert.ok(await log.isChecked());
  const ticks = () => figure(page, "Distribution").locator("svg").textContent();
  const before = await ticks();
  assert.match(before, /10⁻/);
  await log.uncheck();
  assert.notEqual(await ticks(), before);
  await coordinate(page).selectOption({ label: "x[1]" });
  assert.ok(!(await log.isVisible()), "x[1] is near 1: no logarithms");
  await close();
});

test("ranks have two views", async () => {
  const { page, close } = await open("good.html");
  assert.match(await figure(page, "Ranks").textContent(), /chain 4/);
  await page.getByLabel("How to show ranks").selectOption("ecdf");
  assert.match(await figure(page, "Ranks").locator("figcaption").innerText(), /All 4 chains stay inside/);
  await close();
  const many = await open("many.html");
  assert.match(await figure(many.page, "Ranks").locator("figcaption").innerText(), /95 of 100 runs/);
  await many.close();
});

test("a bad run says so, in words and in its plots", async () => {
  const { page, close } = await open("bad.html");
  assert.match(await page.locator("h1 + .lead").innerText(), /Do not trust these draws/);
  assert.ok((await page.locator("table .badge.bad").count()) > 0);
  assert.match(await figure(page, "Acceptance").locator("figcaption").innerText(), /biased by its step size/);
  assert.match(await figure(page, "Step size").locator("figcaption").innerText(), /was given, not looked for: 0\.06/);
  await close();
});

test("the ternary plot is there on simplices only", async () => {
  for (const [name, there] of [["good", 1], ["batches", 1], ["box", 0], ["ball", 0]]) {
    const { page, close } = await open(`${name}.html`);
    assert.equal(await figure(page, "Ternary").count(), there, name);
    await close();
  }
});

test("a ternary plot whose draws are all in a corner is centred, and need not be", async () => {
  const { page, close } = await open("good.html");
  await page.getByLabel("Third corner").selectOption({ label: "x[1]" });
  assert.match(await figure(page, "Ternary").locator("figcaption").innerText(), /geometric mean/);
  await page.getByLabel("Centre the ternary plot").uncheck();
  assert.match(await figure(page, "Ternary").locator("figcaption").innerText(), /20 % apart/);
  await close();
});

test("the edge of the set is drawn, all of it on request", async () => {
  const { page, close } = await open("ball.html");
  assert.match(await figure(page, "On the set").locator("figcaption").innerText(), /circle is the edge/);
  await shoot(page, "draws-ball-pairs");
  await page.getByLabel("Show the whole set").check();
  assert.doesNotMatch(await figure(page, "On the set").locator("figcaption").innerText(), /Only the part/);
  await close();
});

test("axes of pairs can be chosen; what has no dual says so", async () => {
  const { page, close } = await open("good.html");
  await page.getByLabel("Horizontal axis").selectOption({ label: "x[1]" });
  assert.match(await figure(page, "In the dual").locator("figcaption").innerText(), /x\[1\] is what the others are measured against/);
  await page.getByLabel("Horizontal axis").selectOption({ label: "x[2]" });
  await page.getByLabel("Vertical axis").selectOption({ label: "x[3]" });
  assert.match(await label(page, "In the dual"), /y\[1\] and y\[2\]/);
  await close();
});

test("empty states are words", async () => {
  const single = await open("single.html");
  assert.match(await figure(single.page, "Ranks").innerText(), /nobody to be compared with/);
  assert.match(await figure(single.page, "On the set").innerText(), /only one coordinate/);
  await single.close();
  const { page, problems, close } = await open("odd.html");
  assert.match(await page.locator(".draws-empty").innerText(), /Every draw is 2\.5/);
  await coordinate(page).selectOption({ label: "broken" });
  assert.match(await page.locator(".draws-empty").innerText(), /One value is not finite, the first in chain 2, draw 11/);
  await coordinate(page).selectOption({ label: "fine" });
  assert.ok(!(await page.locator(".draws-empty").isVisible()));
  assert.match(await figure(page, "In the dual").innerText(), /without their dual/);
  assert.deepEqual(problems, []);
  await assertFits(page);
  await close();
});

test("everything can be reached and worked by keyboard", async () => {
  const { page, close } = await open("good.html");
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.closest("label")?.innerText.trim() ?? ""));
  }
  for (const control of ["Previous coordinate", "Coordinate", "Next coordinate", "Find a coordinate by name", "Order of coordinates", "How to show ranks", "Horizontal axis", "Vertical axis", "Third corner", "Show the whole set", "Centre the ternary plot"]) {
    assert.ok(reached.has(control), `${control} is reached by Tab`);
  }
  await page.getByRole("button", { name: "Next coordinate" }).focus();
  await page.keyboard.press("Enter");
  assert.match(await label(page, "Traces"), /x\[2\]/);
  await close();
});

test("without a program the verdict and the table are there", async () => {
  const { page, close } = await open("good.html", { script: false });
  assert.match(await page.locator("main").innerText(), /Trust these draws/);
  assert.ok((await page.locator("table tbody tr").count()) === 11);
  await close();
});

test("the command that repeats the run can be copied", async () => {
  const { page, close } = await open("good.html");
  const button = page.getByRole("button", { name: "Copy" });
  // It says so for two seconds only, which whoever looks late would miss.
  await button.evaluate((node) => {
    window.said = [];
    new MutationObserver(() => window.said.push(node.textContent)).observe(node, { childList: true });
  });
  await button.click();
  await page.waitForFunction(() => window.said.some((text) => /Copied|Selected/.test(text)));
  await close();
});

test("plots follow the window", async () => {
  const { page, close } = await open("good.html");
  await page.setViewportSize({ width: 500, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll(".draws-plot")].every((place) => place.scrollWidth <= place.clientWidth + 1));
  await assertFits(page);
  await close();
});
