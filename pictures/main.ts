/**
 * `npm run pictures`: runs each mode against the simulator and draws the job summaries as GitHub shows them, to
 * `docs/images/`. Needs Chromium (Debian: `chromium` and `fonts-noto-color-emoji`) and `npm ci --prefix pictures`.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/paths.ts';
import { draw, findBrowser } from './browser.ts';
import { pageOf, WIDTH } from './page.ts';
import { scenes } from './scenes.ts';

const browser = findBrowser();
if (browser === undefined) {
  console.log('There is no Chromium on the path, so no picture is drawn.');
} else if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('First: npm ci --prefix pictures');
  process.exitCode = 1;
} else {
  for (const [name, play] of Object.entries(scenes)) {
    const file = join(repository, 'docs/images', `${name}.png`);
    draw(browser, pageOf(await play()), WIDTH, file);
    console.log(`docs/images/${name}.png: ${Math.ceil(statSync(file).size / 1024)} kB`);
  }
}
