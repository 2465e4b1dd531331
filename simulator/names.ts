import { randomBytes, randomInt } from 'node:crypto';

const adjectives = ['quiet', 'shiny', 'winter', 'broad', 'fancy', 'green', 'icy', 'lucky', 'misty'];
const nouns = ['river', 'wind', 'boat', 'meadow', 'star', 'forest', 'lake', 'cloud', 'stone'];

const pick = (words: string[]) => words[randomInt(words.length)];

/** An id as the service makes them: `br-quiet-river-12345678`. */
export function newId(prefix = ''): string {
  return `${prefix}${pick(adjectives)}-${pick(nouns)}-${randomInt(10_000_000, 99_999_999)}`;
}

/** A secret of `length` letters and digits. */
export function newSecret(prefix: string, length: number): string {
  return prefix + randomBytes(length).toString('hex').slice(0, length);
}
