import { base64Forms, uriEscaped } from './mask.ts';
import type { PhaseResult } from './run-step.ts';

/** Where a secret was found, and in which form. Never holds the secret itself, so that it can be printed. */
export interface Leak {
  /** Its place among the canaries. */
  canary: number;
  /** `main: stdout, line 3`, `post: RUNNER_TEMP/projects.json, line 1`, … */
  where: string;
  form: string;
}

export interface LeakOptions {
  canaries: string[];
  /** Files in which the secrets are allowed, by their name in `PhaseResult.files`, e.g. `GITHUB_OUTPUT`. */
  allowedFiles?: string[];
}

/** What is searched of a run; a `StepResult` is searched with its post step. */
export type Searched = Pick<
  PhaseResult,
  'stdout' | 'stderr' | 'summary' | 'annotations' | 'files' | 'log'
> & {
  post?: Searched;
};

/**
 * Searches everything that runs printed, sent or left behind for secrets: as they are, base64 (at any place in a longer
 * encoded text), base64url, percent-encoded, HTML-escaped, JSON-escaped and hex. Only `::add-mask::` lines of the standard output may
 * hold one. A form shorter than six characters is not searched, because it would be found everywhere.
 */
export function findLeaks(canaries: string[] | LeakOptions, ...results: Searched[]): Leak[] {
  const { canaries: secrets, allowedFiles = [] } = Array.isArray(canaries)
    ? { canaries }
    : canaries;
  const allowed = new Set(allowedFiles);
  const leaks: Leak[] = [];
  const search = (name: string, text: string, exempt: (line: string) => boolean = () => false) => {
    const lines = text.split('\n');
    const kept = lines.map((line) => (exempt(line) ? '' : line));
    // The whole text too: a secret of several lines lies across them.
    const whole = kept.join('\n');
    const spellings = [
      ['HTML-escaped', htmlDecoded(whole)] as const,
      ['URI-encoded', uriDecoded(whole)] as const,
    ].filter(([, decoded]) => decoded !== whole);
    for (const [canary, secret] of secrets.entries()) {
      const found = forms(secret).flatMap(([form, value]) =>
        linesOf(value, whole).map((line) => ({ form, line })),
      );
      // Some characters may be escaped and others not: told only where it is not read as it stands.
      if (found.length === 0 && secret.length >= shortest) {
        for (const [form, decoded] of spellings)
          found.push(...linesOf(secret, decoded).map((line) => ({ form, line })));
      }
      for (const { form, line } of found)
        leaks.push({ canary, where: `${name}, line ${line}`, form });
    }
  };
  const phases = results.flatMap((result, index) => {
    const number = results.length > 1 ? ` ${index + 1}` : '';
    return [
      [`main${number}`, result] as const,
      ...(result.post ? [[`post${number}`, result.post] as const] : []),
    ];
  });
  for (const [phase, result] of phases) {
    search(`${phase}: stdout`, result.stdout, (line) => /^::add-mask::/.test(line));
    search(`${phase}: stderr`, result.stderr);
    // Searched although they are masked by now: a mask that came too late or misses a form shows here as well.
    search(`${phase}: log`, result.log.join('\n'));
    search(`${phase}: summary`, result.summary);
    for (const [index, annotation] of result.annotations.entries()) {
      search(
        `${phase}: annotation ${index + 1}`,
        [annotation.message, ...Object.values(annotation.properties)].join('\n'),
      );
    }
    for (const [file, content] of Object.entries(result.files)) {
      // A file's name can hold a secret as well as its content.
      search(`${phase}: the name of a file`, file);
      if (!allowed.has(file)) search(`${phase}: ${file}`, content);
    }
  }
  return leaks;
}

const shortest = 6;

/** The numbers of the lines in which `value` begins. */
function linesOf(value: string, text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    found.push(text.slice(0, at).split('\n').length);
  return found;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** As a browser shows it; a line stays a line. */
function htmlDecoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));?/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
      return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal), entity);
    },
  );
}

/** With every escape of a visible ASCII character undone, whichever case its digits are in. */
function uriDecoded(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (whole, hex) =>
    character(Number.parseInt(hex, 16), whole),
  );
}

function character(code: number, otherwise: string): string {
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

function forms(secret: string): [form: string, value: string][] {
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  const candidates: [string, string][] = [
    ['plain', secret],
    ...base64Forms(secret).map((value): [string, string] => ['base64', tail(value)]),
    ['URI-encoded', uriEscaped(secret)],
    ['URI-encoded', encodeURIComponent(secret.toWellFormed())],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
  ];
  const seen = new Set<string>();
  return candidates.filter(([, value]) => {
    const wanted = value.length >= shortest && !seen.has(value);
    seen.add(value);
    return wanted;
  });
}

// The last digit of base64 also holds bits of what follows the secret, if its bytes do not fill it.
function tail(value: string): string {
  return value.length % 4 === 0 ? value : value.slice(0, -1);
}
