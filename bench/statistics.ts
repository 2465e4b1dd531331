/** The middle of `numbers`, or the mean of the two in the middle; NaN of none. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The value below which the share `q` (0 to 1) of `numbers` lies, interpolated between neighbours; NaN of none. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** A number in [0, 1) at each call, the same ones for the same seed (mulberry32): every rival meets the same draws. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A draw from the log-normal distribution with this median; `sigma` is the spread of its logarithm. */
export function logNormal(random: () => number, middle: number, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return middle * Math.exp(sigma * radius * Math.cos(2 * Math.PI * random()));
}
