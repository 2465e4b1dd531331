import type { StepResult } from './run-step.ts';

/** What GitHub's page shows of a step's log: the `Run …` header with the inputs, then the lines of main and post. */
export function loggedAs(step: StepResult, options: { colour?: boolean } = {}): string {
  const lines = [...step.header, ...step.log];
  if (step.post) lines.push('', ...step.post.header, ...step.post.log);
  return renderLog(lines, options);
}

const labels: Record<string, { label: string; colour: number }> = {
  error: { label: 'Error: ', colour: 31 },
  warning: { label: 'Warning: ', colour: 33 },
  notice: { label: 'Notice: ', colour: 36 },
  debug: { label: '##[debug]', colour: 35 },
  command: { label: '', colour: 34 },
};

/** Turns a log file's lines into what people see: groups opened, issues labelled, coloured if asked. */
export function renderLog(lines: string[], { colour = false }: { colour?: boolean } = {}): string {
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  let grouped = false;
  const shown: string[] = [];
  for (const line of lines) {
    const [, tag = '', rest = ''] = /^(?:##)?\[([a-z]+)\](.*)$/s.exec(line) ?? [];
    if (tag === 'group') {
      shown.push(paint(1, `▼ ${rest}`));
      grouped = true;
    } else if (tag === 'endgroup') {
      grouped = false;
    } else {
      const style = labels[tag];
      const text = style ? paint(style.colour, `${style.label}${rest}`) : line;
      shown.push(grouped ? `  ${text}` : text);
    }
  }
  return shown.join('\n');
}
