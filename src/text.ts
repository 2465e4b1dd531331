/**
 * Text from outside, for people's eyes.
 *
 * Whatever the service, the network or a file says is data. These functions make it harmless before it reaches a
 * message: one line, no control characters, no terminal escapes, no direction overrides, nothing the runner would take
 * for a command.
 */

/** C0, DEL, C1, line and paragraph separators, zero-width, tag and direction characters, byte-order mark, lone surrogates. */
const INVISIBLE =
  /\udb40[\udc00-\udc7f]|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Nobody reads on, and a hostile text can have megabytes. */
const LONGEST_READ = 65_536;

/** `text` on one line, cut to `longest` characters; what cannot be seen becomes a blank. */
export function oneLine(text: string, longest = 300): string {
  const line = text.slice(0, LONGEST_READ).replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, longest * 2 + 2)];
  const isCut = characters.length > longest || text.length > LONGEST_READ;
  return isCut ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

/**
 * A line that the runner prints and does not obey: `##[` counts as a command anywhere in a line, `::` at its start (behind
 * blanks, U+0085 among them).
 * `##[` keeps its look but for a blank.
 */
export function notACommand(line: string): string {
  return line.replaceAll('##[', '## [').replace(/^([\s\u0085]*)::/, '$1: :');
}

/** Ends a text as a sentence does. */
export function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** `1,234,567`. `toLocaleString` would load the language data of the whole world, which takes longer than most waits' work. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 operation`, `2 operations`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a, b and c`, cut after `most` with a count of the rest. */
export function listed(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) shown.push(`${grouped(rest)} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
