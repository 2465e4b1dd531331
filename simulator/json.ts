// Both have been in Node since version 21; the compiler's library does not know them yet.
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};

/** Stands for an integer in a value that `JSON.stringify` is to write with every digit. */
export function exactInteger(value: bigint): unknown {
  return rawJSON(String(value));
}

/** Writes JSON with every digit of a `bigint`: key ids are int64 and do not fit a number. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, item) =>
    typeof item === 'bigint' ? exactInteger(item) : item,
  );
}

/** Reads JSON; integers beyond 2^53 become `bigint`, so that nothing is rounded on the way through. */
export function fromJson(text: string): unknown {
  return parse(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );
}
