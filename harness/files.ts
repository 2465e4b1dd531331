/** GitHub drops a step summary that is larger than this many bytes. */
export const summaryLimit: number = 1024 * 1024;

/** What a file of names and values says; an error ends the reading, but what was read before it counts. */
export interface NamedValues {
  values: [name: string, value: string][];
  error?: string;
}

/**
 * Reads the content of `GITHUB_OUTPUT`, `GITHUB_STATE` or `GITHUB_ENV` by the runner's rules: `name=value` in one line,
 * or `name<<DELIMITER`, lines, `DELIMITER`.
 */
export function readNamedValues(text: string): NamedValues {
  const values: NamedValues['values'] = [];
  // On Windows the runner takes the carriage return off as well; there the toolkit writes one.
  const lineEnd = process.platform === 'win32' ? /\r?\n/ : /\n/;
  const lines = text.split(lineEnd);
  const endsWithLineEnd = lines.at(-1) === '';
  if (endsWithLineEnd) lines.pop();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      const name = line.slice(0, equals);
      if (name === '') return { values, error: `Invalid format '${line}'. Name must not be empty` };
      values.push([name, line.slice(equals + 1)]);
      continue;
    }
    if (heredoc < 0) return { values, error: `Invalid format '${line}'` };
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (name === '' || delimiter === '') {
      return {
        values,
        error: `Invalid format '${line}'. Name must not be empty and delimiter must not be empty`,
      };
    }
    const end = lines.indexOf(delimiter, at + 1);
    if (end < 0) {
      return {
        values,
        error: endsWithLineEnd
          ? `Invalid value. Matching delimiter not found '${delimiter}'`
          : 'Invalid value. EOF marker missing new line.',
      };
    }
    values.push([name, lines.slice(at + 1, end).join('\n')]);
    at = end;
  }
  return { values };
}

/** Reads the content of `GITHUB_PATH`: one folder a line. */
export function readPaths(text: string): string[] {
  return text.split(/\r\n|\n|\r/).filter((line) => line !== '');
}

/** Whether GitHub would take a summary of this content; the runner's words if not. */
export function summaryError(content: Uint8Array): string | undefined {
  if (content.byteLength <= summaryLimit) return undefined;
  const got = Math.floor(content.byteLength / 1024);
  return `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${summaryLimit / 1024}k, got ${got}k.`;
}
