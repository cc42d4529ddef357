// Finds words as they are typed, without regard to case and accents.

const letters: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

/** "Ångström" as "angstrom". */
export function folded(text: string): string {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.replace(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter);
}

export class WordIndex {
  private readonly words: string[];
  private readonly byFrequency: number[];

  constructor(words: readonly string[], p: readonly number[]) {
    this.words = words.map(folded);
    this.byFrequency = words.map((_, index) => index).sort((a, b) => (p[b] ?? 0) - (p[a] ?? 0));
  }

  /** The word itself first, then words that start with the text, then words that contain it; frequent ones first. */
  find(text: string, count: number): number[] {
    const wanted = folded(text.trim());
    if (wanted === "") return [];
    const ranks: number[][] = [[], [], []];
    for (const index of this.byFrequency) {
      const at = (this.words[index] ?? "").indexOf(wanted);
      if (at < 0) continue;
      ranks[at > 0 ? 2 : this.words[index] === wanted ? 0 : 1]?.push(index);
    }
    return ranks.flat().slice(0, count);
  }
}
