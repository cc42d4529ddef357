// Draws, a study and topics on one page: every part works beside the others.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFits, open, shoot, start, stop, tain } from "./browser.mjs";

before(async () => {
  await start();
  tain("sample", "--target", "dirichlet", "--counts", "12,3,0,5", "--alpha", "0.5", "-o", "draws.nc", "--quiet");
  tain("reproduce", "synthetic", "--quick", "--chains", "2000", "--grid-chains", "1000", "--further-chains", "1000",
       "--iterations", "200", "-o", "study", "--quiet");
  tain("corpus", "synthesize", "--docs", "500", "--topics", "5", "--vocab-size", "300", "-o", "corpus", "--quiet");
  tain("lda", "train", "corpus", "-k", "5", "-o", "model", "--quiet");
  tain("report", "draws.nc", "study", "model", "-o", "all.html", "--title", "All", "--quiet");
});
after(stop);

for (const [width, dark] of [[1280, false], [360, true]]) {
  test(`every part works, ${width} px wide, ${dark ? "dark" : "light"}`, async () => {
    const { page, problems, close } = await open("all.html", { width, dark });
    await assertFits(page);
    for (const kind of ["draws", "topics"]) {
      assert.ok((await page.locator(`.widget[data-kind=${kind}] svg`).count()) > 0, `${kind} are drawn`);
    }
    assert.ok((await page.locator("figure svg").count()) >= 3, "so is the study");
    await shoot(page, `chapters-${width}${dark ? "-dark" : ""}`);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("the contents lead everywhere, into what is folded too", async () => {
  const { page, problems, close } = await open("all.html");
  for (const link of await page.locator("nav a").all()) {
    await link.click();
    const target = (await link.getAttribute("href")).slice(1);
    assert.ok(await page.locator(`[id="${target}"]`).isVisible(), target);
  }
  const folded = page.locator("details.section", { hasText: "How it was measured" });
  assert.equal(await folded.locator("dl").isVisible(), false);
  await folded.locator("summary").first().press("Enter");
  assert.equal(await folded.locator("dl").isVisible(), true);
  assert.deepEqual(problems, []);
  await close();
});

test("without JavaScript all that is static is there, and the rest says what it needs", async () => {
  const { page, close } = await open("all.html", { script: false });
  assert.equal(await page.locator("h2").count(), 3);
  assert.ok((await page.locator("table").count()) >= 3);
  assert.equal(await page.locator("noscript").count(), 2);
  await close();
});
