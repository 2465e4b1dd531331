/** Every form of a secret that the runner hides, besides the secret itself. */
const encoders: ((value: string) => string[])[] = [
  base64Forms,
  (value) => [value.replaceAll('"', '\\"')], // a command line's argument
  (value) => [value.replaceAll("'", "''")], // a string of a workflow expression
  (value) => [JSON.stringify(value).slice(1, -1)],
  (value) => [uriEscaped(value)],
  (value) => [xmlEscaped(value)],
  withoutDoubleQuotes,
  powerShellSections,
];

/**
 * Hides secrets as GitHub's runner does: what was printed before a value was registered stays readable.
 */
export class Masker {
  readonly #given = new Set<string>();
  readonly #hidden = new Set<string>();

  /**
   * Registers a secret. A value of several lines also hides each of its lines, because logs are masked line by line.
   */
  add(value: string): void {
    if (value === '') return;
    for (const part of [value, ...value.split(/[\r\n]/)]) {
      const secret = part === value ? value : part.trim();
      if (secret === '' || this.#given.has(secret)) continue;
      this.#given.add(secret);
      for (const form of [secret, ...encoders.flatMap((encode) => encode(secret))]) {
        if (form !== '') this.#hidden.add(form);
      }
    }
  }

  /** The text with every registered secret replaced by `***`; secrets that touch or overlap become one `***`. */
  mask(text: string): string {
    const found: [start: number, end: number][] = [];
    for (const secret of this.#hidden) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
        found.push([at, at + secret.length]);
      }
    }
    if (found.length === 0) return text;
    found.sort(([left], [right]) => left - right);
    let masked = '';
    let shownTo = 0;
    let [start, end] = found[0] as [number, number];
    for (const [nextStart, nextEnd] of found) {
      if (nextStart > end) {
        masked += `${text.slice(shownTo, start)}***`;
        shownTo = end;
        [start, end] = [nextStart, nextEnd];
      } else {
        end = Math.max(end, nextEnd);
      }
    }
    return `${masked}${text.slice(shownTo, start)}***${text.slice(end)}`;
  }
}

/**
 * The base64 text of a secret wherever it begins within a longer encoded text: its digits depend on the position modulo
 * three, so the first one or two bytes are given up. Without padding, in both alphabets.
 */
export function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((skipped) => {
    const rest = bytes.subarray(skipped);
    const plain = rest.toString('base64').replace(/=+$/, '');
    return [plain, rest.toString('base64url')];
  });
}

/** Percent-encoding of everything but RFC 3986's unreserved characters. */
export function uriEscaped(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function xmlEscaped(value: string): string {
  const entities: Record<string, string> = {
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
    '&': '&amp;',
  };
  return value.replace(/[<>"'&]/g, (character) => entities[character] ?? character);
}

function withoutDoubleQuotes(value: string): string[] {
  return value.length > 8 && value.startsWith('"') && value.endsWith('"')
    ? [value.slice(1, -1)]
    : [];
}

// PowerShell colours an ampersand in its error messages, which tears a secret in two; short pieces are left readable.
function powerShellSections(value: string): string[] {
  const plus = value.indexOf('&+');
  const cut = plus >= 0 ? plus + 2 : value.lastIndexOf('&') + 1;
  if (cut === 0) return [];
  const sections = [value.slice(0, cut), value.slice(plus >= 0 ? cut + 1 : cut)];
  return sections.filter((section) => section.length >= 6);
}
