/** Characters and beginnings that mean something to GitHub's Markdown, to HTML, or make links, mentions and emoji. */
const MEANING = /[|<>`*#[\]~@$\\&\r{}^="+/:]|www\.|!\[|(^|[^\p{L}\p{N}])_|_($|[^\p{L}\p{N}])/u;
/** What the summaries write themselves. */
const OWN_TAGS = /<\/?(code|sub)>/g;
const REFERENCES = /&(#\d+|nbsp);/g;

/** Every line that a diagram may hold. */
const DIAGRAM = [
  // A timeline.
  /^%%\{init: \{"gantt": \{"leftPadding": \d{2,3}\}\}\}%%$/,
  /^gantt$/,
  /^ {2}(dateFormat x|axisFormat %H:%M:%S|tickInterval 1second)$/,
  /^ {2}section [A-Za-z0-9_. -]+$/,
  /^ {2}[^\w\s] [A-Za-z0-9_. -]+ :(done|active|crit), \d+, \d+$/,
  /^ {2}wait [a-z-]+ :active, \d+, \d+$/,
  // A rotation.
  /^flowchart LR$/,
  /^ {2}(new|old\d|to\d|more|rest)\["[^"<>#&;`\\{}[\]()|]+(<br\/>[^"<>#&;`\\{}[\]()|]+)*"\]$/u,
  /^ {2}(old\d|more|new) (-->|-\.->|==>)(\|(replaced by|stored in)\|)? (new|to\d|rest)$/,
  /^ {2}class old\d gone$/,
  /^ {2}classDef gone stroke-dasharray:4,color:#888$/,
];

/**
 * What is broken in a summary, where only its own markup may mean anything: lines that are not what the summaries write,
 * tables whose rows differ in their cells, tags, links or emphasis from outside, diagrams with foreign statements.
 */
export function faultsOfSummary(markdown: string): string[] {
  const faults: string[] = [];
  let inDiagram = false;
  let columns = 0;
  let headings = 0;
  for (const line of markdown.split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    const fault = (what: string) => faults.push(`${what}: ${line}`);
    if (inDiagram) {
      if (line === '```') inDiagram = false;
      else if (!DIAGRAM.some((allowed) => allowed.test(line))) fault('foreign in a diagram');
      continue;
    }
    if (line === '```mermaid') {
      inDiagram = true;
      continue;
    }
    if (line.startsWith('| ')) {
      const cells = line.split('|').length;
      if (columns > 0 && cells !== columns) fault('another number of cells');
      columns = cells;
      if (/^(\| ---:? )+\|$/.test(line)) continue;
      for (const cell of line.split('|').slice(1, -1))
        if (!isPlain(cell)) fault('markup in a cell');
      continue;
    }
    columns = 0;
    if (line.startsWith('### ')) headings += 1;
    if (!isPlain(line.replace(/^### /, '').replace(/^- (?=\S)/, ''))) fault('markup');
    if (/^(=+|-{2,}|\d+[.)] |[>+*-]\s|\s{4}|\t)/.test(line.replace(/^- (?=\S)/, '')))
      fault('a block');
  }
  if (inDiagram) faults.push('a diagram without an end');
  if (headings !== 1) faults.push(`${headings} headings`);
  return faults;
}

function isPlain(text: string): boolean {
  const opened = text.match(/<(code|sub)>/g)?.length ?? 0;
  const closed = text.match(/<\/(code|sub)>/g)?.length ?? 0;
  // Colons and slashes are the summaries' own only where nothing follows that they would lead to.
  const left = text
    .replace(OWN_TAGS, '')
    .replace(REFERENCES, '·')
    .replace(/: |:$/g, ' ')
    .replace(/(?<=\d(ms|s|m|h|d))\+ $/, ' ');
  return (
    opened === closed && !MEANING.test(left) && !/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(left)
  );
}
