// Relevance of a word for a topic (Sievert & Shirley 2014, eq. 1).
import { descending } from "d3";

/** lambda log phi + (1 - lambda) log(phi / p), which is log phi - (1 - lambda) log p. */
export function relevance(phi: number, p: number, lambda: number): number {
  if (phi <= 0) return -Infinity;
  // At lambda = 1 only phi counts, also for a word that no document has.
  return lambda === 1 ? Math.log(phi) : Math.log(phi) - (1 - lambda) * Math.log(p);
}

/** The most relevant entries, best first; p holds the overall probability of each word. Ties keep their order. */
export function mostRelevant<Entry extends [word: number, phi: number, ...rest: unknown[]]>(
  entries: readonly Entry[],
  p: readonly number[],
  lambda: number,
  count: number,
): Entry[] {
  return entries
    .map((entry) => ({ entry, value: relevance(entry[1], p[entry[0]] ?? 0, lambda) }))
    .sort((a, b) => descending(a.value, b.value))
    .slice(0, count)
    .map(({ entry }) => entry);
}
