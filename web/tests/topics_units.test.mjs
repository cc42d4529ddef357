// The page program's functions that need no browser.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { load } from "./modules.mjs";
import { makeTopics } from "./topics_data.mjs";

let web;
before(async () => {
  web = await load(
    "relevance",
    "word_index",
    "label_placement",
    "map_layout",
    "topics_data",
    "topics_view",
    "topic_numbers",
    "training_curve",
  );
});

test("relevance goes from lift to probability", () => {
  const [phi, p] = [0.02, 0.005];
  assert.equal(web.relevance(phi, p, 1), Math.log(phi));
  assert.ok(Math.abs(web.relevance(phi, p, 0) - Math.log(phi / p)) < 1e-12);
  const between = 0.3 * Math.log(phi) + 0.7 * Math.log(phi / p);
  assert.ok(Math.abs(web.relevance(phi, p, 0.3) - between) < 1e-12);
  assert.equal(web.relevance(0, p, 0.5), -Infinity);
});

test("the most relevant words: common ones first at 1, exclusive ones first at 0", () => {
  const p = [0.1, 0.01, 0.001];
  const entries = [
    [0, 0.12],
    [1, 0.05],
    [2, 0.01],
  ];
  assert.deepEqual(
    web.mostRelevant(entries, p, 1, 3).map(([word]) => word),
    [0, 1, 2],
  );
  assert.deepEqual(
    web.mostRelevant(entries, p, 0, 3).map(([word]) => word),
    [2, 1, 0],
  );
  assert.equal(web.mostRelevant(entries, p, 0.6, 2).length, 2);
  assert.deepEqual(
    web
      .mostRelevant(
        [
          [0, 0],
          [1, 0],
        ],
        p,
        0.5,
        2,
      )
      .map(([word]) => word),
    [0, 1],
    "ties keep their order",
  );
});

test("search ignores case and accents; whole words, then beginnings, then insides, frequent ones first", () => {
  const words = ["Straße", "ångström", "art", "party", "artist", "arts", "東京都"];
  const index = new web.WordIndex(words, [0.1, 0.1, 0.1, 0.9, 0.2, 0.3, 0.1]);
  const find = (text, count = 9) => index.find(text, count).map((i) => words[i]);
  assert.deepEqual(find("ART"), ["art", "arts", "artist", "party"]);
  assert.deepEqual(find("art", 2), ["art", "arts"]);
  assert.deepEqual(find("angstrom"), ["ångström"]);
  assert.deepEqual(find("strasse"), ["Straße"]);
  assert.deepEqual(find("京"), ["東京都"]);
  assert.deepEqual(find("  "), []);
  assert.deepEqual(find("zebra"), []);
});

test("labels touch neither one another nor other circles, and stay inside", () => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (const many of [1, 5, 60, 500]) {
    const [width, height] = [500, 400];
    const circles = Array.from({ length: many }, (_, i) => ({
      x: 20 + random() * (width - 40),
      y: 20 + random() * (height - 40),
      radius: 3 + (random() * 60) / Math.sqrt(many),
      number: String(i + 1),
      word: "word".repeat(1 + (i % 3)),
    }));
    const options = { width, height, lineHeight: 15, measure: (text) => 7 * text.length };
    const labels = web.placeLabels(circles, options);
    assert.ok(labels.length > 0);
    const boxes = labels.map((label) => web.labelBox(label, circles, options));
    boxes.forEach((a, i) => {
      const inside =
        labels[i].text === "number" && labels[i].anchor === "middle" && labels[i].y === circles[labels[i].circle].y;
      boxes
        .slice(0, i)
        .forEach((b, j) =>
          assert.ok(
            a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
            `labels ${i} and ${j} of ${many}`,
          ),
        );
      if (inside) return;
      assert.ok(
        a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height,
        `label ${i} of ${many} leaves the map`,
      );
      circles.forEach((circle, j) => {
        if (j === labels[i].circle) return;
        const dx = circle.x - Math.min(Math.max(circle.x, a.left), a.right);
        const dy = circle.y - Math.min(Math.max(circle.y, a.top), a.bottom);
        assert.ok(Math.hypot(dx, dy) >= circle.radius, `label ${i} of ${many} lies on circle ${j}`);
      });
    });
    const numbered = labels.filter((label) => label.text !== "word").map((label) => label.circle);
    assert.equal(new Set(numbered).size, numbered.length, "no number stands twice");
  }
});

test("the map keeps areas as shares, distances in proportion, circles inside", () => {
  for (const topics of [1, 2, 3, 50, 500]) {
    const all = makeTopics({ topics }).topics;
    const [width, height] = [560, web.mapHeight(all, 560)];
    assert.ok(height >= 0.7 * width - 1 && height <= width);
    const circles = web.layOut(all, width, height);
    circles.forEach(({ x, y, radius }, i) => {
      assert.ok(
        x - radius >= 0 && x + radius <= width && y - radius >= 0 && y + radius <= height,
        `circle ${i} of ${topics}`,
      );
      if (radius > 1.5) assert.ok(Math.abs((radius / circles[0].radius) ** 2 - all[i].share / all[0].share) < 1e-9);
    });
    if (topics < 3) continue;
    const distance = (list, a, b) => Math.hypot(list[a].x - list[b].x, list[a].y - list[b].y);
    const scale = distance(circles, 0, 1) / distance(all, 0, 1);
    assert.ok(Math.abs(distance(circles, 1, 2) - scale * distance(all, 1, 2)) < 1e-9);
  }
});

test("a point means the smallest circle it is in, else the nearest within reach", () => {
  const circles = [
    { x: 50, y: 50, radius: 40 },
    { x: 60, y: 50, radius: 10 },
    { x: 200, y: 50, radius: 5 },
  ];
  assert.equal(web.circleAt(circles, 62, 50, 12), 1);
  assert.equal(web.circleAt(circles, 30, 50, 12), 0);
  assert.equal(web.circleAt(circles, 210, 50, 12), 2);
  assert.equal(web.circleAt(circles, 150, 150, 12), null);
});

test("arrows go to the next circle ahead, and stop at the rim", () => {
  const circles = [
    { x: 0, y: 0, radius: 1 },
    { x: 10, y: 1, radius: 1 },
    { x: 30, y: 0, radius: 1 },
    { x: 0, y: 20, radius: 1 },
  ];
  assert.equal(web.circleTowards(circles, 0, 1, 0), 1);
  assert.equal(web.circleTowards(circles, 1, 1, 0), 2);
  assert.equal(web.circleTowards(circles, 0, 0, 1), 3);
  assert.equal(web.circleTowards(circles, 0, -1, 0), null);
  const aside = [circles[0], { x: 1, y: 100, radius: 1 }];
  assert.equal(web.circleTowards(aside, 0, 1, 0), null, "what lies aside is not ahead");
});

test("a view survives its address; anchors and nonsense are not views", () => {
  const model = new web.TopicModel(makeTopics({ topics: 5 }));
  const view = { ...web.firstView, topic: 3, word: model.wordNumber("東京都"), lambda: 0.2 };
  const address = web.addressOf(view, model);
  assert.match(address, /^#topic=3&word=[%\w]+&lambda=0.2$/);
  assert.deepEqual({ ...web.firstView, ...web.viewOf(address, model) }, view);
  assert.equal(web.addressOf(web.firstView, model), "");
  assert.equal(web.viewOf("#lambda=0.27", model).lambda, 0.3, "the slider knows tenths");
  assert.equal(web.viewOf("#how-to-read", model), null);
  assert.equal(web.viewOf("", model), null);
  assert.deepEqual(web.viewOf("#topic=99&word=nonsense&lambda=7", model), {
    topic: null,
    word: null,
    lambda: web.usualLambda,
  });
  const hostile = { ...web.firstView, word: model.wordNumber("</script><img src=x onerror=alert(1)>") };
  assert.deepEqual(web.viewOf(web.addressOf(hostile, model), model)?.word, hostile.word);
});

test("a word's parts add up, and agree with share, phi and p", () => {
  const data = makeTopics({ topics: 6 });
  const model = new web.TopicModel(data);
  for (const topic of data.topics) {
    for (const entry of topic.words) {
      assert.ok(Math.abs(model.partOfWord(topic, entry) - (topic.share * entry[1]) / data.p[entry[0]]) < 1e-12);
    }
  }
  const parts = model.topicsOf(0).map(({ share }) => share);
  assert.ok(Math.abs(parts.reduce((a, b) => a + b, 0) - 1) < 1e-12);
  assert.deepEqual(
    parts,
    [...parts].sort((a, b) => b - a),
  );
});

test("going on from the last topic leads to the first", () => {
  const model = new web.TopicModel(makeTopics({ topics: 3 }));
  assert.equal(model.neighbour(3, 1).number, 1);
  assert.equal(model.neighbour(1, -1).number, 3);
  assert.equal(model.neighbour(null, 1).number, 1);
  assert.equal(model.neighbour(null, -1).number, 3);
});

test("numbers in words", () => {
  const text = (value) => web.percent(value).replace("\u00a0", " ");
  assert.equal(text(1), "100 %");
  assert.equal(text(0.12345), "12.3 %");
  assert.equal(text(0.01), "1.00 %");
  assert.equal(text(0.000004), "0.0004 %");
  assert.equal(text(0), "0 %");
  assert.equal(web.percentInterval(null, null), "");
  assert.equal(web.score(-0.031), "−0.03");
  assert.equal(web.score(null), "–");
  assert.equal(web.withError(1234.4, 28.6), "1,234 ± 29");
  assert.equal(web.withError(8.42, 1.16), "8.4 ± 1.2");
});

test("the curve's axis holds all values and turns logarithmic where they fall far", () => {
  const history = (perplexity) => ({
    documents: perplexity.map((_, i) => i + 1),
    perplexity,
    error: perplexity.map(() => 1),
    average: perplexity,
    averageError: perplexity.map(() => 5),
  });
  const flat = web.curveScale(web.evaluations(history([1300, 1250, 1200])));
  assert.equal(flat.type, "linear");
  assert.ok(flat.domain[0] <= 1195 && flat.domain[0] > 1000 && flat.domain[1] >= 1305);
  assert.equal(web.curveScale(web.evaluations(history([9000, 1250, 1200]))).type, "log");
  const one = web.curveScale(web.evaluations(history([1300])));
  assert.ok(one.domain[0] < one.domain[1]);
});
