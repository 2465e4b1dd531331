/** A workflow command as the runner understood it. */
export interface Command {
  name: string;
  properties: Record<string, string>;
  message: string;
  /** `::name::` at the start of a line, or the older `##[name]` anywhere in it. */
  syntax: '::' | '##[';
  /** The line it came from. */
  line: string;
  stream: 'stdout' | 'stderr';
  /** Why it must not be used: the runner refused it, or it is obsolete. */
  error?: string;
}

/** What one line of a process makes the runner do, in order. */
export type Effect =
  | { kind: 'print'; text: string }
  | {
      kind: 'issue';
      level: 'error' | 'warning' | 'notice';
      message: string;
      properties: Record<string, string>;
    }
  | { kind: 'debug'; message: string; sent: boolean }
  | { kind: 'mask'; value: string }
  | { kind: 'output' | 'state'; name: string; value: string }
  | { kind: 'fail' };

const commandNames = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
]);

/** Commands that are never repeated in the log, whatever `echo` says. */
const silent = new Set(['add-mask', 'debug', 'error', 'notice', 'warning']);

// The order matters, and `%25` comes last: otherwise `%250A` would turn into a line break.
const dataEscapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
] as const;
const propertyEscapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
] as const;
const olderEscapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
] as const;

// .NET's idea of white space: unlike JavaScript's it has U+0085 and lacks U+FEFF.
const leadingSpace = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Reads `::name key=value,key2=value2::message`, which counts at the start of a line only.
 * @param known the commands in force, lower case; any other line is text
 */
export function parseCommand(
  line: string,
  known: ReadonlySet<string>,
): Pick<Command, 'name' | 'properties' | 'message' | 'syntax'> | undefined {
  const text = line.replace(leadingSpace, '');
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1;
  if (end < 0) return undefined;
  const read = nameAndProperties(text.slice(2, end), ',', propertyEscapes);
  if (!known.has(read.name)) return undefined;
  return { ...read, message: unescaped(text.slice(end + 2), dataEscapes), syntax: '::' };
}

/**
 * Reads `##[name key=value;key2=value2]message`, which counts anywhere in a line; only the first `##[` is looked at.
 * @param known the commands in force, lower case; any other line is text
 */
export function parseOlderCommand(
  line: string,
  known: ReadonlySet<string>,
): Pick<Command, 'name' | 'properties' | 'message' | 'syntax'> | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  if (end < 0) return undefined;
  const read = nameAndProperties(line.slice(start + 3, end), ';', olderEscapes);
  if (!known.has(read.name)) return undefined;
  return { ...read, message: unescaped(line.slice(end + 1), olderEscapes), syntax: '##[' };
}

/** Follows a step's output as the runner does, with the state that commands change: `stop-commands` and `echo`. */
export class CommandInterpreter {
  /** Every command that was executed, in order. */
  readonly commands: Command[] = [];
  readonly #known = new Set(commandNames);
  #stoppedUntil: string | undefined;
  #echo: boolean;

  /** @param options.echo with step debugging on, commands are repeated in the log from the start */
  constructor({ echo = false }: { echo?: boolean } = {}) {
    this.#echo = echo;
  }

  /** What the runner does on one line. */
  line(line: string, stream: Command['stream']): Effect[] {
    const read = parseCommand(line, this.#known) ?? parseOlderCommand(line, this.#known);
    if (!read) return [{ kind: 'print', text: line }];
    if (this.#stoppedUntil !== undefined) {
      if (read.name !== this.#stoppedUntil) return [{ kind: 'print', text: line }];
      this.#known.delete(this.#stoppedUntil);
      this.#stoppedUntil = undefined;
      return [{ kind: 'print', text: line }, debug('Resume processing commands')];
    }
    const command: Command = { ...read, line, stream };
    this.commands.push(command);
    if (command.name === 'stop-commands') return this.#stop(command);
    const echoed: Effect[] =
      this.#echo && !silent.has(command.name) ? [{ kind: 'print', text: line }] : [];
    return [...echoed, ...this.#execute(command)];
  }

  #stop(command: Command): Effect[] {
    const token = command.message;
    if (token === '' || token === 'pause-logging' || this.#known.has(token.toLowerCase())) {
      return this.#refuse(command, 'A token that stops commands must be unique and not empty.');
    }
    this.#stoppedUntil = token.toLowerCase();
    this.#known.add(this.#stoppedUntil);
    const mask: Effect[] = token.length > 6 ? [{ kind: 'mask', value: token }] : [];
    return [...mask, { kind: 'print', text: command.line }];
  }

  #execute(command: Command): Effect[] {
    const { name, message, properties } = command;
    switch (name) {
      case 'error':
      case 'warning':
      case 'notice':
        return [{ kind: 'issue', level: name, message, properties }];
      case 'debug':
        return [{ kind: 'debug', message, sent: true }];
      case 'group':
        return [{ kind: 'print', text: `##[group]${message}` }];
      case 'endgroup':
        return [{ kind: 'print', text: '##[endgroup]' }];
      case 'add-mask':
        if (message.trim() === '') {
          return [
            issue('warning', "Can't add secret mask for empty string in ##[add-mask] command."),
          ];
        }
        return [
          ...(this.#echo ? [{ kind: 'print', text: '::add-mask::***' } as const] : []),
          { kind: 'mask', value: message },
        ];
      case 'echo': {
        const value = message.trim().toLowerCase();
        if (value !== 'on' && value !== 'off') {
          return this.#refuse(command, "Invalid echo command value. Possible values: 'on', 'off'.");
        }
        this.#echo = value === 'on';
        return [debug(`Setting echo command value to '${value}'`)];
      }
      case 'set-output':
      case 'save-state': {
        const target = properties.name;
        if (!target)
          return this.#refuse(command, `Required field 'name' is missing in ##[${name}] command.`);
        const kind = name === 'set-output' ? 'output' : 'state';
        command.error = `obsolete: write to the ${kind} file instead`;
        return [
          issue('warning', `The \`${name}\` command is deprecated: use Environment Files.`),
          { kind, name: target, value: message },
        ];
      }
      case 'set-env':
      case 'add-path':
        return this.#refuse(command, `The \`${name}\` command is disabled: use Environment Files.`);
      default: // add-matcher and remove-matcher: what problem matchers find is not played
        return [];
    }
  }

  #refuse(command: Command, why: string): Effect[] {
    command.error = why;
    return [
      issue('error', `Unable to process command '${command.line}' successfully.`),
      issue('error', why),
      { kind: 'fail' },
    ];
  }
}

/**
 * Cuts a stream into lines as .NET's reader does: `\n`, `\r\n` and a lone `\r` each end one. The last line needs no end.
 */
export class LineSplitter {
  #rest = '';

  /** The lines that are complete with this piece. */
  push(piece: string): string[] {
    const text = this.#rest + piece;
    // A carriage return at the very end may be the first half of `\r\n`.
    const settled = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = settled.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(settled.length);
    return lines;
  }

  /** What is left when the stream has ended. */
  end(): string[] {
    const rest = this.#rest.replace(/\r$/, '');
    const left = this.#rest === '' ? [] : [rest];
    this.#rest = '';
    return left;
  }
}

function nameAndProperties(
  text: string,
  separator: string,
  escapes: readonly (readonly [string, string])[],
): { name: string; properties: Record<string, string> } {
  const blank = text.indexOf(' ');
  const name = (blank < 0 ? text : text.slice(0, blank)).toLowerCase();
  const properties: Record<string, string> = {};
  for (const pair of blank < 0
    ? []
    : text
        .slice(blank + 1)
        .trim()
        .split(separator)) {
    const equals = pair.indexOf('=');
    if (equals > 0 && equals < pair.length - 1) {
      properties[pair.slice(0, equals)] = unescaped(pair.slice(equals + 1), escapes);
    }
  }
  return { name, properties };
}

function unescaped(text: string, escapes: readonly (readonly [string, string])[]): string {
  return escapes.reduce(
    (result, [escaped, character]) => result.replaceAll(escaped, character),
    text,
  );
}

function issue(level: 'error' | 'warning', message: string): Effect {
  return { kind: 'issue', level, message, properties: {} };
}

function debug(message: string): Effect {
  return { kind: 'debug', message, sent: false };
}
