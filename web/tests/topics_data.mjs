// Makes up topic models of any size, as the program describes them to the explorer.

/** Words and titles that a page must bear: markup, other scripts, no place to break. */
export const awkward = {
  words: [
    "</script><img src=x onerror=alert(1)>",
    "ångström",
    "שלום",
    "مرحبا",
    "東京都",
    "donaudampfschifffahrtsgesellschaftskapitän",
  ],
  titles: [
    "</script><img src=x onerror=\"document.title='broken'\">",
    "عنوان طويل",
    "A".repeat(120),
    "東京都の歴史",
    '<b>bold</b> & "quoted"',
  ],
};

/** Numbers in [0, 1) that are the same at every call. */
function stream(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "pla", "gre", "sto"];
/** The n-th word: its number written in syllables, so that all differ. */
function wordOf(n) {
  let text = "";
  for (let rest = n + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length];
  return text;
}

/** Probabilities of each topic: 40 words of its own with Zipf's weights, 12 that all topics share. */
function draw(topics, random) {
  const common = 12;
  return Array.from({ length: topics }, (_, k) => {
    const weights = new Map();
    for (let i = 0; i < common; ++i) weights.set(i, (0.5 + random()) / (i + 3));
    // Neighbours have some words in common.
    for (let i = 0; i < 40; ++i) weights.set(common + 25 * k + i, (0.7 + 0.6 * random()) / (i + 1));
    const sum = [...weights.values()].reduce((a, b) => a + b, 0);
    return new Map([...weights].map(([word, weight]) => [word, weight / sum]));
  });
}

function shares(topics, random) {
  const weights = Array.from({ length: topics }, () => 0.2 + random() ** 3 * 3);
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** wide: how far the intervals reach, relative to the value; 0 for a model of one draw. */
export function makeTopics({ topics = 8, corpus = true, wide = 0.08, history = true, seed = 1 } = {}) {
  const random = stream(seed);
  const phi = draw(topics, random);
  const share = shares(topics, random);
  const p = [];
  phi.forEach((words, k) => words.forEach((value, word) => (p[word] = (p[word] ?? 0) + share[k] * value)));
  const words = p.map((_, word) => wordOf(word));
  // The awkward words are second to none in the first topics.
  awkward.words.forEach((text, i) => (words[12 + 25 * (i % topics) + Math.floor(i / topics) + 1] = text));
  const around = (value) =>
    wide === 0 ? [null, null] : [value * (1 - wide * random()), value * (1 + wide * random())];
  const described = phi.map((probabilities, k) => {
    const angle = 2.4 * k;
    const [low, high] = around(share[k]);
    return {
      number: k + 1,
      share: share[k],
      low,
      high,
      coherence: corpus ? 0.5 * random() - 0.05 : null,
      exclusivity: random(),
      x: topics === 1 ? 0 : Math.cos(angle) * Math.sqrt((k + 0.5) / topics) + 0.1 * random(),
      y: topics <= 2 ? 0 : Math.sin(angle) * Math.sqrt((k + 0.5) / topics) + 0.1 * random(),
      words: [...probabilities].sort((a, b) => b[1] - a[1]).map(([word, value]) => [word, value, ...around(value)]),
      documents: corpus
        ? Array.from({ length: 10 }, (_, i) => [
            awkward.titles[(i + k) % awkward.titles.length],
            0.95 - 0.05 * i,
            40 + 13 * i,
          ])
        : [],
      similar: [1, 2, 3]
        .map((step) => ((k + step) % topics) + 1)
        .filter((number) => number !== k + 1)
        .slice(0, topics - 1),
    };
  });
  const evaluations = Array.from({ length: 12 }, (_, i) => i + 1);
  return {
    model: {
      name: "made-up",
      method: "smld-root",
      topics,
      words: words.length + 321,
      documents: 1000,
      tokens: 250000,
      draws: wide === 0 ? 1 : 40,
      seed: 1,
    },
    shareOf: corpus ? "tokens" : "prior",
    topics: described,
    words,
    p,
    wordTopics: p.map((total, word) =>
      phi
        .map((probabilities, k) => [k + 1, ((probabilities.get(word) ?? 0) * share[k]) / total])
        .filter(([, part]) => part > 0)
        .sort((a, b) => b[1] - a[1])
        .flat(),
    ),
    wordsLeftOut: 321,
    map: { measure: "Jensen-Shannon", explained: [0.2, 0.1] },
    history: history
      ? {
          documents: evaluations.map((i) => 5000 * i),
          perplexity: evaluations.map((i) => 1000 + 900 / i),
          error: evaluations.map(() => 30),
          average: evaluations.map((i) => 960 + 800 / i),
          averageError: evaluations.map(() => 28),
        }
      : null,
    corpus: corpus ? { name: "corpus", documents: 1000, tokens: 250000, sampled: null } : null,
  };
}
