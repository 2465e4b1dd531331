/**
 * JSON whose integers keep every digit. Ids are int64; beyond 2^53 `JSON.parse` alone would round them, and a rounded id
 * names somebody else's key.
 */

/** The longest run of digits that a double always holds. */
const MAY_ROUND = /\d{16}/;

/**
 * Parses JSON; integers beyond ±2^53 become `bigint`. Needs a `JSON.parse` that hands the source text to its reviver
 * (Node 22 and newer).
 * @throws SyntaxError when `text` is not JSON
 */
export function parseJson(text: string): unknown {
  // The reviver costs a call for every value: large listings rarely hold a long number.
  if (!MAY_ROUND.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? '';
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** In Node 22 and newer, ahead of the compiler's library: a value that `JSON.stringify` writes as it stands. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON text in which a `bigint` is a number with all its digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, part: unknown) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part),
    indent,
  );
}
