// The topic explorer in a browser: with pointer and keys, light and dark, narrow and wide, small and large models.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFits, open, shoot, start, stop } from "./browser.mjs";
import { awkward, makeTopics } from "./topics_data.mjs";
import { makeRealPage, writePage } from "./topics_pages.mjs";

const middle = makeTopics({ topics: 50 });

before(async () => {
  await start();
  makeRealPage();
  writePage("one.html", makeTopics({ topics: 1 }));
  writePage("three.html", makeTopics({ topics: 3 }));
  writePage("middle.html", middle);
  writePage("bare.html", makeTopics({ topics: 5, corpus: false, wide: 0, history: false }));
  writePage("large.html", makeTopics({ topics: 500 }));
});
after(stop);

/** Opens a page, does something, and finds it without errors, requests or a sideways scrollbar. */
async function visit(address, options, doing) {
  const [file, hash] = address.split(/(?=#)/);
  const { page, problems, close } = await open(file, { hash, ...options });
  await page.locator(".map-disc").first().waitFor();
  await doing(page);
  assert.deepEqual(problems, []);
  await assertFits(page);
  await close();
}
const shownTopic = (page) => page.locator(".topic-panel > :first-child .topic-number").textContent();
const shownWords = (page) => page.locator(".word-row .word-text").allTextContents();
/** The middle of a topic's circle, on the screen. */
async function circle(page, number) {
  await page.locator(".map-frame").scrollIntoViewIfNeeded();
  const box = await page.locator(`[data-topic="${number}"] .map-disc`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("the program's own page", async () => {
  await visit("real.html", {}, async (page) => {
    assert.equal(await page.locator(".map-disc").count(), 4);
    assert.equal(await page.locator(".topic-table tbody tr").count(), 4);
    assert.ok(await page.locator(".topics-overview").isVisible());
    await page.getByRole("button", { name: "Next topic" }).click();
    assert.equal(await shownTopic(page), "Topic 1");
    assert.equal((await shownWords(page)).length, 30);
    assert.ok((await page.locator(".documents li").count()) > 0, "topics have documents");
    assert.ok((await page.locator(".bar-whisker:visible").count()) > 0, "words have intervals");
    await shoot(page, "topics-real");
  });
});

test("the overview compares sizes and names doubtful topics", async () => {
  await visit("middle.html", {}, async (page) => {
    const rows = page.locator(".topics-overview .topic-button");
    assert.equal(await rows.count(), 15);
    const largest = middle.topics.reduce((a, b) => (b.share > a.share ? b : a));
    assert.equal(await rows.first().locator(".topic-number").textContent(), String(largest.number));
    const least = middle.topics.reduce((a, b) => (b.coherence < a.coherence ? b : a));
    assert.equal(await page.locator(".topics-doubtful .topic-number").first().textContent(), String(least.number));
    await shoot(page, "topics-overview");
    await rows.first().click();
    assert.equal(await shownTopic(page), `Topic ${largest.number}`);
    assert.ok(await page.locator(".topics-overview").isHidden());
    // Whoever was in the overview is at the heading of the topic now.
    assert.match(
      await page.evaluate(() => document.activeElement.textContent),
      new RegExp(`^Topic ${largest.number} `),
    );
  });
});

test("a click on the map changes the panel; pointing names a topic", async () => {
  await visit("three.html", {}, async (page) => {
    await page.mouse.move(...(await circle(page, 2)));
    assert.match(await page.locator(".map-tip").textContent(), /^Topic 2 /);
    for (const number of [2, 3]) {
      await page.mouse.click(...(await circle(page, number)));
      assert.equal(await shownTopic(page), `Topic ${number}`);
      assert.equal(await page.locator("[role=option][aria-selected=true]").getAttribute("data-topic"), String(number));
      assert.equal(await page.locator(".topic-table [aria-current] .number").textContent(), String(number));
    }
    await page.mouse.move(2, 2);
    assert.ok(await page.locator(".map-tip").isHidden());
  });
});

test("the slider reorders the words as relevance says", async () => {
  await visit("middle.html#topic=7", { reducedMotion: "no-preference" }, async (page) => {
    const topic = middle.topics[6];
    const expected = (lambda) =>
      [...topic.words]
        .sort(
          (a, b) =>
            Math.log(b[1]) -
            (1 - lambda) * Math.log(middle.p[b[0]]) -
            (Math.log(a[1]) - (1 - lambda) * Math.log(middle.p[a[0]])),
        )
        .slice(0, 30)
        .map(([word]) => middle.words[word]);
    const slider = page.getByRole("slider", { name: "Order of the words" });
    assert.deepEqual(await shownWords(page), expected(0.6));
    await slider.focus();
    await page.keyboard.press("End");
    assert.deepEqual(await shownWords(page), expected(1));
    await page.keyboard.press("Home");
    assert.deepEqual(await shownWords(page), expected(0));
    assert.notDeepEqual(expected(0), expected(1));
    await page.keyboard.press("ArrowRight");
    assert.equal(await slider.inputValue(), "0.1");
    assert.match(await slider.getAttribute("aria-valuetext"), /^0.1: /);
    await page.waitForFunction(() => location.hash === "#topic=7&lambda=0.1");
  });
});

test("search finds a word without its accents and shows where it belongs", async () => {
  await visit("three.html", {}, async (page) => {
    const box = page.getByRole("combobox", { name: "Find a word" });
    await box.fill("ANGSTR");
    assert.deepEqual(await page.locator(".search [role=option] bdi").allTextContents(), ["ångström"]);
    assert.equal(await box.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    assert.equal(
      await box.getAttribute("aria-activedescendant"),
      await page.locator(".search [role=option]").getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    assert.equal(await box.getAttribute("aria-expanded"), "false");
    assert.match(await page.locator(".word-topics").textContent(), /^Where “ångström” belongs/);
    assert.ok(await page.locator(".topic-map.by-word").isVisible());
    assert.match(
      await page.locator("p[role=status].visually-hidden").textContent(),
      /^Word ångström: mostly in topic 2/,
    );
    const heat = await page
      .locator(".map-disc")
      .evaluateAll((discs) => discs.map((disc) => Number(disc.style.getPropertyValue("--heat"))));
    assert.equal(Math.max(...heat), 1, "the word's main topic stands out");
    await box.fill("qqq");
    assert.match(
      await page.locator(".search-none").textContent(),
      /“qqq” is not among the \d+ words of this page; it may be one of the 321 rare words/,
    );
    await page.getByRole("button", { name: "Clear the word" }).click();
    assert.equal(await page.locator(".topic-map.by-word").count(), 0);
    assert.ok(await page.locator(".word-topics").isHidden());
  });
});

test("a word of the list colours the map while pointed at, and stays when clicked", async () => {
  await visit("middle.html#topic=2", {}, async (page) => {
    const row = page.locator(".word-row").nth(3);
    await row.hover();
    assert.equal(await page.locator(".topic-map.by-word").count(), 1);
    await page.mouse.move(2, 2);
    assert.equal(await page.locator(".topic-map.by-word").count(), 0);
    await row.click();
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    await page.mouse.move(2, 2);
    assert.equal(await page.locator(".topic-map.by-word").count(), 1);
    await shoot(page, "topics-word");
    await row.click();
    await page.mouse.move(2, 2);
    assert.equal(await page.locator(".topic-map.by-word").count(), 0);
  });
});

test("everything can be done with keys", async () => {
  await visit("middle.html", {}, async (page) => {
    const focusedTopic = () => page.evaluate(() => document.activeElement.getAttribute("data-topic"));
    await page.getByRole("combobox").focus();
    // The number field, its buttons, then the map: one stop for all of its circles.
    for (let i = 0; i < 8 && (await focusedTopic()) === null; ++i) await page.keyboard.press("Tab");
    const first = await focusedTopic();
    assert.notEqual(first, null, "the map is reached by the tabulator");
    const seen = new Set([first]);
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight"]) {
      await page.keyboard.press(key);
      seen.add(await focusedTopic());
    }
    assert.ok(seen.size > 2, "arrows go from circle to circle");
    assert.ok(await page.locator(".map-tip").isVisible());
    await page.keyboard.press("Home");
    assert.equal(await focusedTopic(), "1");
    await page.keyboard.press("PageDown");
    assert.equal(await focusedTopic(), "2");
    await page.keyboard.press("End");
    assert.equal(await focusedTopic(), "50");
    await page.keyboard.press("Enter");
    assert.equal(await shownTopic(page), "Topic 50");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".topics-overview").isVisible());
    // Out of the map again in one step.
    await page.keyboard.press("Tab");
    assert.equal(await focusedTopic(), null);
    await page.getByLabel("Topic", { exact: true }).fill("31");
    await page.keyboard.press("Enter");
    assert.equal(await shownTopic(page), "Topic 31");
  });
});

test("the address restores the view, and follows a new one", async () => {
  const word = middle.words[middle.topics[11].words[0][0]];
  await visit(`middle.html#topic=12&word=${encodeURIComponent(word)}&lambda=0.3`, {}, async (page) => {
    assert.equal(await shownTopic(page), "Topic 12");
    assert.equal(await page.getByRole("combobox").inputValue(), word);
    assert.equal(await page.getByRole("slider").inputValue(), "0.3");
    const top = await page.locator(".topics").evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(top > -1 && top < 300, `a link leads to the explorer, which is at ${top}`);
    await page.evaluate(() => (location.hash = "#topic=5"));
    await page.waitForFunction(() => document.querySelector(".topic-panel .topic-number").textContent === "Topic 5");
    assert.equal(await page.getByRole("combobox").inputValue(), "");
    await page.getByRole("button", { name: "Overview" }).click();
    await page.waitForFunction(() => location.hash === "");
  });
});

test("the list sorts and filters", async () => {
  await visit("middle.html", {}, async (page) => {
    const numbers = () => page.locator(".topic-table tbody tr:visible .number").allTextContents();
    const by = (value) => [...middle.topics].sort((a, b) => value(a) - value(b)).map((topic) => String(topic.number));
    assert.deepEqual(
      await numbers(),
      by((topic) => -topic.share),
    );
    await page.getByRole("button", { name: "Coherence" }).click();
    assert.deepEqual(
      await numbers(),
      by((topic) => -topic.coherence),
    );
    assert.equal(await page.locator("th.coherence").getAttribute("aria-sort"), "descending");
    await page.getByRole("button", { name: "Coherence" }).click();
    assert.deepEqual(
      await numbers(),
      by((topic) => topic.coherence),
    );
    const filter = page.getByLabel("Filter the topics");
    await filter.fill("17");
    assert.deepEqual(await numbers(), ["17"]);
    await filter.fill("東京");
    assert.deepEqual(await numbers(), ["5"]);
    await filter.fill("nothing like this");
    assert.deepEqual(await numbers(), []);
    assert.match(await page.locator(".topic-list [role=status]").textContent(), /^No topic has/);
    await filter.fill("");
    await page.locator(".topic-table tbody tr").first().locator(".words").click();
    assert.equal(await shownTopic(page), `Topic ${by((topic) => topic.coherence)[0]}`);
  });
});

test("parts of the page never cover one another, wherever it is scrolled", async () => {
  await visit("middle.html#topic=3", { height: 700 }, async (page) => {
    const overlaps = await page.evaluate(async () => {
      const parts = [".map-side", ".area-panel", ".topic-list", ".area-more", ".topics-help", ".training-curve"];
      const found = new Set();
      for (let top = 0; top < document.documentElement.scrollHeight; top += 150) {
        window.scrollTo(0, top);
        await new Promise((painted) => requestAnimationFrame(painted));
        const boxes = parts.map((part) => document.querySelector(part).getBoundingClientRect());
        boxes.forEach((a, i) =>
          boxes.slice(0, i).forEach((b, j) => {
            const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            if (!apart) found.add(`${parts[i]} on ${parts[j]}`);
          }),
        );
      }
      return [...found];
    });
    assert.deepEqual(overlaps, []);
  });
});

test("words and titles are text, whatever they hold", async () => {
  await visit("three.html#topic=1", {}, async (page) => {
    assert.ok((await shownWords(page)).includes(awkward.words[0]));
    assert.ok((await page.locator(".document-title").allTextContents()).includes(awkward.titles[0]));
    assert.equal(await page.locator("img, b").count(), 0);
    assert.notEqual(await page.title(), "broken");
    await shoot(page, "topics-awkward");
  });
});

test("what a model lacks is said, with the command that adds it", async () => {
  await visit("bare.html", {}, async (page) => {
    assert.match(await page.locator(".topics-doubtful code").textContent(), /^tain lda report made-up CORPUS -o/);
    assert.match(await page.locator(".training-curve").textContent(), /there is no curve/);
    assert.match(await page.locator(".topics-help").textContent(), /so there are no intervals/);
    await page.getByRole("button", { name: "Next topic" }).click();
    assert.match(await page.locator(".topic-documents").textContent(), /made without documents/);
    assert.equal(await page.locator(".bar-whisker:visible, .map-halo, .glyph-whisker").count(), 0);
    await shoot(page, "topics-bare");
  });
});

test("zoom parts the circles, and the whole map comes back", async () => {
  await visit("middle.html", {}, async (page) => {
    const place = (number) =>
      page
        .locator(`[data-topic="${number}"] .map-disc`)
        .evaluate((disc) => [disc.cx.baseVal.value, disc.cy.baseVal.value]);
    const distance = async () => {
      const [a, b] = await Promise.all([place(1), place(2)]);
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    const [before, first] = [await place(1), await distance()];
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForFunction(() => document.querySelector(".is-zoomed") !== null);
    assert.ok(Math.abs((await distance()) - 1.6 * first) < 1);
    // A topic that is chosen elsewhere comes into the frame.
    for (let i = 0; i < 5; ++i) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByLabel("Topic", { exact: true }).fill("49");
    await page.keyboard.press("Enter");
    const [x, y] = await place(49);
    const frame = await page.locator(".map-frame").boundingBox();
    assert.ok(x >= 0 && x <= frame.width && y >= 0 && y <= frame.height, `topic 49 is at ${x}, ${y}`);
    await page.getByRole("button", { name: "Show the whole map" }).click();
    assert.deepEqual(await place(1), before);
  });
});

for (const [width, height] of [
  [360, 740],
  [768, 1024],
  [1280, 900],
  [2000, 1100],
]) {
  for (const dark of [false, true]) {
    test(`${width} px wide, ${dark ? "dark" : "light"}`, async () => {
      for (const file of ["one", "three", "middle"]) {
        await visit(
          `${file}.html#topic=1&word=${encodeURIComponent(awkward.words[0])}`,
          { width, height, dark },
          async (page) => {
            const paper = await page
              .locator(".list-box thead th")
              .first()
              .evaluate((cell) => getComputedStyle(cell).backgroundColor);
            assert.equal(paper === "rgb(255, 255, 255)", !dark);
            // Nothing of the explorer reaches over its edge.
            const outside = await page.evaluate(() => {
              const edge = document.querySelector(".topics").getBoundingClientRect().right + 1;
              const clipped = ".list-box *, .map-frame *, .visually-hidden, .scroll *, pre *, svg *";
              return [...document.querySelectorAll(".topics *")]
                .filter((node) => !node.matches(clipped) && node.getBoundingClientRect().right > edge)
                .map((node) => node.className);
            });
            assert.deepEqual(outside, []);
            const list = await page.locator(".list-box").evaluate((box) => box.scrollWidth - box.clientWidth);
            assert.equal(list, 0, "the list scrolls down only");
            await shoot(page, `topics-${file}-${width}${dark ? "-dark" : ""}`);
          },
        );
      }
    });
  }
}

test("five hundred topics", async () => {
  await visit("large.html", {}, async (page) => {
    assert.equal(await page.locator(".map-disc").count(), 500);
    await shoot(page, "topics-large");
    // From the click until the browser has painted what it changed; the page's own time, since others use the machine.
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const busy = async () =>
      (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
    const before = await busy();
    const times = await page.evaluate(async () => {
      const taken = [];
      for (let number = 10; number <= 500; number += 35) {
        const started = performance.now();
        document.querySelector(`.topic-table button[aria-label="Topic ${number}"]`).click();
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
        taken.push(performance.now() - started);
      }
      return taken.sort((a, b) => a - b);
    });
    const own = (1000 * ((await busy()) - before)) / times.length;
    console.log(
      `# 500 topics: choosing to paint ${times[times.length >> 1].toFixed(0)} ms (median), ${own.toFixed(0)} ms of it busy`,
    );
    assert.equal(await shownTopic(page), "Topic 500");
    await page.getByRole("combobox").fill("ba");
    assert.equal(await page.locator(".search [role=option]").count(), 10);
  });
});

test("whoever cannot see the page finds everything by name", async () => {
  await visit("middle.html#topic=3", {}, async (page) => {
    const nameless = await page.evaluate(() => {
      const named = (node) =>
        node.getAttribute("aria-label") ||
        node.textContent.trim() ||
        [...(node.labels ?? [])].some((label) => label.textContent.trim());
      return [...document.querySelectorAll("button, input, [role], [tabindex]")]
        .filter(
          (node) =>
            !["presentation", "status"].includes(node.getAttribute("role")) &&
            node.closest("[hidden]") === null &&
            !named(node),
        )
        .map((node) => node.outerHTML.slice(0, 90));
    });
    assert.deepEqual(nameless, []);
    const twice = await page.evaluate(() => {
      const all = [...document.querySelectorAll("[id]")].map((node) => node.id);
      return all.filter((id, at) => all.indexOf(id) !== at);
    });
    assert.deepEqual(twice, []);
    // Headings go down one level at a time.
    const levels = await page
      .locator("h1:visible, h2:visible, h3:visible, h4:visible")
      .evaluateAll((all) => all.map((node) => Number(node.tagName[1])));
    levels.forEach((level, at) => assert.ok(at === 0 || level <= levels[at - 1] + 1, `headings ${levels}`));
    assert.equal(await page.getByRole("listbox", { name: "Map of topics" }).count(), 1);
    assert.equal(await page.getByRole("option", { name: /^Topic 3: / }).count(), 1);
    assert.equal(await page.locator('[role=option][tabindex="0"]').count(), 1, "one stop for the map");
    assert.equal(await page.locator(".topic-list").getByRole("row").count(), 51);
    await page.getByRole("button", { name: "Next topic" }).click();
    assert.match(await page.locator("p[role=status].visually-hidden").textContent(), /^Topic 4: /);
  });
});
