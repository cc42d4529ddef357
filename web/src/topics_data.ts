// What the C++ side writes about a topic model (src/lda), and the questions that the explorer asks of it.
import { mostRelevant } from "./relevance";

/** A word of the page's list, its probability in the topic, the 5 % and 95 % quantile of it over the draws. */
export type TopicWord = [word: number, phi: number, low: number | null, high: number | null];
export type TopicDocument = [title: string, share: number, tokens: number];

export interface Topic {
  number: number;
  share: number;
  low: number | null;
  high: number | null;
  coherence: number | null;
  exclusivity: number;
  x: number;
  y: number;
  words: TopicWord[];
  documents: TopicDocument[];
  similar: number[];
}

export interface History {
  documents: number[];
  perplexity: number[];
  error: number[];
  average: number[];
  averageError: number[];
}

export interface TopicsData {
  model: {
    name: string;
    method: string;
    topics: number;
    words: number;
    documents: number;
    tokens: number | null;
    draws: number;
    seed: number;
  };
  shareOf: "tokens" | "prior";
  topics: Topic[];
  words: string[];
  p: number[];
  wordTopics: number[][];
  wordsLeftOut: number;
  map: { measure: string; explained: number[] };
  history: History | null;
  corpus: { name: string; documents: number; tokens: number; sampled: number | null } | null;
}

export interface WordShare {
  topic: Topic;
  share: number;
}

/** Topics are named by their most relevant words at this lambda, which Sievert & Shirley (2014) found best. */
export const usualLambda = 0.6;

export class TopicModel {
  private readonly byNumber = new Map<number, Topic>();
  private readonly names = new Map<number, string[]>();
  private readonly wordNumbers = new Map<string, number>();
  /** By descending share; equal shares keep their numbers' order. */
  readonly bySize: Topic[];

  constructor(readonly data: TopicsData) {
    for (const topic of data.topics) this.byNumber.set(topic.number, topic);
    data.words.forEach((word, index) => this.wordNumbers.set(word, index));
    this.bySize = [...data.topics].sort((a, b) => b.share - a.share || a.number - b.number);
  }

  topic(number: number | null): Topic | null {
    return number === null ? null : (this.byNumber.get(number) ?? null);
  }

  /** The topic so many places further in the numbering, around the ends. */
  neighbour(number: number | null, step: number): Topic | null {
    const all = this.data.topics;
    const from = all.findIndex((topic) => topic.number === number);
    const index = from < 0 ? (step > 0 ? 0 : all.length - 1) : (from + step + all.length) % all.length;
    return all[index] ?? null;
  }

  word(index: number): string {
    return this.data.words[index] ?? "";
  }

  wordNumber(word: string): number | null {
    return this.wordNumbers.get(word) ?? null;
  }

  /** The most relevant words of a topic, best first. */
  firstWords(topic: Topic, count: number): string[] {
    let words = this.names.get(topic.number);
    if (words === undefined) {
      words = mostRelevant(topic.words, this.data.p, usualLambda, 30).map((entry) => this.word(entry[0]));
      this.names.set(topic.number, words);
    }
    return words.slice(0, count);
  }

  /** "ship, navy, ships" */
  name(topic: Topic, count = 3): string {
    return this.firstWords(topic, count).join(", ");
  }

  /** p(topic | word), descending; the page holds the larger ones only. */
  topicsOf(word: number): WordShare[] {
    const pairs = this.data.wordTopics[word] ?? [];
    const shares: WordShare[] = [];
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const topic = this.topic(pairs[i] ?? 0);
      if (topic !== null) shares.push({ topic, share: pairs[i + 1] ?? 0 });
    }
    return shares;
  }

  /** The part of a word's tokens that a topic has: p(topic | word) = p(topic) phi / p(word). */
  partOfWord(topic: Topic, entry: TopicWord): number {
    const known = this.topicsOf(entry[0]).find((share) => share.topic === topic);
    if (known !== undefined) return known.share;
    const p = this.data.p[entry[0]] ?? 0;
    return p > 0 ? Math.min(1, (topic.share * entry[1]) / p) : 0;
  }

  /** Rank of a topic among all by a measure, the largest first; null where it has none. */
  rank(topic: Topic, measure: "share" | "coherence" | "exclusivity"): number | null {
    const value = topic[measure];
    if (value === null) return null;
    return 1 + this.data.topics.filter((other) => (other[measure] ?? -Infinity) > value).length;
  }

  get hasIntervals(): boolean {
    return this.data.topics.some((topic) => topic.low !== null);
  }
}
