import { type Command, CommandInterpreter, type Effect } from './commands.ts';
import type { Masker } from './mask.ts';

/** An issue of a step as GitHub lists it beside the log, or a debug message. */
export interface Annotation {
  level: 'error' | 'warning' | 'notice' | 'debug';
  message: string;
  properties: Record<string, string>;
  /** Set on those past the tenth of their level: GitHub shows them in the log only. */
  inLogOnly?: true;
}

/** The runner sends no longer message to GitHub. */
const longestMessage = 4096;
const mostOfALevel = 10;

/** Collects what a step's lines lead to. Everything is masked at the moment it is written, with what is known then. */
export class StepLog {
  readonly lines: string[] = [];
  readonly annotations: Annotation[] = [];
  readonly outputs: Record<string, string> = {};
  readonly state: Record<string, string> = {};
  /** Whether a command failed the step, whatever its exit code. */
  failed = false;
  readonly #masker: Masker;
  readonly #debug: boolean;
  readonly #interpreter: CommandInterpreter;

  constructor(masker: Masker, { debug }: { debug: boolean }) {
    this.#masker = masker;
    this.#debug = debug;
    this.#interpreter = new CommandInterpreter({ echo: debug });
  }

  /** The commands that were executed so far. */
  get commands(): Command[] {
    return this.#interpreter.commands;
  }

  /** Takes one line of the process. */
  line(line: string, stream: Command['stream']): void {
    for (const effect of this.#interpreter.line(line, stream)) this.#apply(effect);
  }

  /** Notes an issue and writes it to the log. */
  issue(
    level: 'error' | 'warning' | 'notice',
    message: string,
    properties: Record<string, string> = {},
  ): void {
    this.#write(`##[${level}]${message}`);
    this.#annotate(level, message, properties);
  }

  /** A text's lines as they may be shown now. */
  masked(text: string): string[] {
    // Line by line, as the runner does with logs and summaries alike.
    return text.split(/\r\n|\n|\r/).map((line) => this.#masker.mask(line));
  }

  #apply(effect: Effect): void {
    switch (effect.kind) {
      case 'print':
        this.#write(effect.text);
        break;
      case 'issue':
        this.issue(effect.level, effect.message, effect.properties);
        break;
      case 'debug':
        if (this.#debug) {
          for (const line of effect.message.split(/\r?\n/)) this.#write(`##[debug]${line}`);
        }
        if (effect.sent) this.#annotate('debug', effect.message, {});
        break;
      case 'mask':
        this.#masker.add(effect.value);
        break;
      case 'output':
        this.outputs[effect.name] = effect.value;
        break;
      case 'state':
        this.state[effect.name] = effect.value;
        break;
      case 'fail':
        this.failed = true;
        break;
    }
  }

  #write(text: string): void {
    this.lines.push(...this.masked(this.#masker.mask(text)));
  }

  #annotate(level: Annotation['level'], message: string, properties: Record<string, string>): void {
    const earlier = this.annotations.filter((annotation) => annotation.level === level).length;
    const annotation: Annotation = {
      level,
      message: this.#masker.mask(message).slice(0, longestMessage),
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, this.#masker.mask(value)]),
      ),
    };
    if (level !== 'debug' && earlier >= mostOfALevel) annotation.inLogOnly = true;
    this.annotations.push(annotation);
  }
}
