/** ISO 8601: a date, or a date and a time with or without a fraction and a zone. */
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/** The common form, in which no day can be missing from its month. */
const COMMON = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date or time. Without a zone it is UTC, wherever the runner stands.
 * @returns NaN when `text` is not one, or names a day that does not exist
 */
export function parseMoment(text: string | null | undefined): number {
  // What services send, a thousand times a page.
  if (text != null && COMMON.test(text)) return Date.parse(text);
  const match = MOMENT.exec(text ?? '');
  if (match === null || text == null) return Number.NaN;
  const [, year, month, day, hours, , , zone] = match;
  // Engines read the 30th of February as the 2nd of March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) > lastDay) return Number.NaN;
  const iso = text.replace(' ', 'T').toUpperCase();
  return Date.parse(hours === undefined || zone !== undefined ? iso : `${iso}Z`);
}
