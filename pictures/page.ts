import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = join(import.meta.dirname, 'node_modules');

/** How wide GitHub shows a job summary on a common screen, in pixels. */
export const WIDTH = 980;

/**
 * A page that shows Markdown as GitHub does: its dialect, its light theme, Mermaid in place of code blocks of that name.
 * When all is drawn the page's title becomes its height in pixels.
 */
export function pageOf(markdown: string): string {
  const css = readFileSync(join(modules, 'github-markdown-css/github-markdown-light.css'), 'utf8');
  const script = (path: string): string =>
    `<script src="${pathToFileURL(join(modules, path)).href}"></script>`;
  const text = JSON.stringify(markdown).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>${css}</style>
<style>
  body { margin: 0; background: #fff; }
  .markdown-body { box-sizing: border-box; width: ${WIDTH}px; padding: 24px; }
  pre.mermaid { background: none; text-align: center; padding: 0; overflow: visible; }
</style>
<article class="markdown-body"></article>
${script('marked/lib/marked.umd.js')}
${script('mermaid/dist/mermaid.min.js')}
<script>
  const article = document.querySelector('article');
  article.innerHTML = marked.parse(${text}, { gfm: true });
  for (const code of article.querySelectorAll('code.language-mermaid')) {
    const drawing = document.createElement('pre');
    drawing.className = 'mermaid';
    drawing.textContent = code.textContent;
    code.parentElement.replaceWith(drawing);
  }
  mermaid.initialize({ startOnLoad: false, theme: 'default', securityLevel: 'strict' });
  mermaid.run().then(
    () => { document.title = String(Math.ceil(article.getBoundingClientRect().height)); },
    (error) => { document.title = 'broken: ' + error.message; },
  );
</script>
</html>
`;
}
