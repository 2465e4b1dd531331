/** ISO 8601: a date, or a date and a time with or without a fraction and a zone. */
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date or time. Without a zone it is UTC, wherever the runner stands.
 * @returns NaN when `text` is not one, or names a day that does not exist
 */
export function parseMoment(text: string | null | undefined): number {
  const match = MOMENT.exec(text ?? '');
  if (match === null || text == null) return Number.NaN;
  const [, year, month, day, hours, , , zone] = match;
  // Engines read the 30th of February as the 2nd of March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) > lastDay) return Number.NaN;
  const iso = text.replace(' ', 'T').toUpperCase();
  return Date.parse(hours === undefined || zone !== undefined ? iso : `${iso}Z`);
}
