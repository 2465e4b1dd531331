import { oneLine } from '../text.ts';

/**
 * Text from outside as a piece of code in GitHub's Markdown. Every character that could mean something there is written
 * as a number, which neither Markdown nor HTML obeys; inside `<code>` GitHub makes no links, mentions or emoji.
 */
export function code(text: string, longest = 120): string {
  return `<code>${numbered(oneLine(text, longest))}</code>`;
}

/** The same as running text. */
export function plain(text: string, longest = 300): string {
  return numbered(oneLine(text, longest));
}

/** Whatever is not plain text; `_` where it could emphasise, `.` where it could begin a link, what would begin a list. */
const MEANINGFUL =
  /[^\p{L}\p{N} .,;'()_-]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=[wW]{3})\.|\.(?=\p{L})|^-|(?<=^\d+)[.)]/gu;

function numbered(text: string): string {
  return text.replace(MEANINGFUL, (character) => `&#${character.codePointAt(0)};`);
}

/** A table row; the cells are Markdown already. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** @param numeric the columns whose cells stand on the right */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const rule = head.map((_name, column) => (numeric.includes(column) ? '---:' : '---'));
  return [row(head), row(rule), ...rows.map(row)].join('\n');
}

/** A name in a Mermaid diagram, where only plain letters are certain to be no syntax. */
export function diagramName(text: string, longest = 40): string {
  const name = text.replace(/[^A-Za-z0-9_ .-]+/g, ' ').trim();
  return name === '' ? 'unnamed' : name.slice(0, longest);
}

/** A label between quotation marks in a Mermaid diagram, with what ids and targets have besides letters. */
export function diagramLabel(text: string, longest = 80): string {
  const label = text.replace(/[^A-Za-z0-9_ .:/-]+/g, ' ').trim();
  return label === '' ? 'unnamed' : label.slice(0, longest);
}
