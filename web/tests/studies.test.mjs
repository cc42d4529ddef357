// The pages of `tain reproduce`: static, readable without a program, and never wider than the window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFits, open, shoot, start, stop, tain } from "./browser.mjs";

before(async () => {
  await start();
  tain("reproduce", "synthetic", "--quick", "--chains", "2000", "--grid-chains", "1000", "--further-chains", "1000",
       "--iterations", "200", "-o", "synthetic", "--quiet");
  tain("reproduce", "lda", "--quick", "--methods", "smld-approximate,sgrld", "-o", "lda", "--quiet");
});
after(stop);

for (const study of ["synthetic", "lda"]) {
  for (const [width, dark] of [[1280, false], [360, true]]) {
    test(`${study} study, ${width} px wide, ${dark ? "dark" : "light"}`, async () => {
      const { page, problems, close } = await open(`${study}/index.html`, { width, dark });
      assert.deepEqual(problems, []);
      await assertFits(page);
      assert.equal(await page.locator("h1").count(), 1);
      assert.ok((await page.locator("figure svg").count()) >= 3, "the figures are there");
      assert.ok((await page.locator(".badge").count()) >= 2, "claims have verdicts");
      // Every entry of the contents leads somewhere.
      for (const link of await page.locator("nav a").all()) {
        const target = (await link.getAttribute("href")).slice(1);
        assert.equal(await page.locator(`[id="${target}"]`).count(), 1, target);
      }
      const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(paper === "rgb(255, 255, 255)", !dark);
      await shoot(page, `${study}-${width}${dark ? "-dark" : ""}`);
      await close();
    });
  }
}
