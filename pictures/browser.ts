import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** Sharp on a dense screen, and still small. */
const SCALE = 1.5;
/** What a page gets to draw itself, in milliseconds of its own time. */
const BUDGET_MS = 20_000;

/** The first of the usual names that is on the path; undefined where there is no Chromium. */
export function findBrowser(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ['--version']).status === 0);
}

/**
 * Draws a page whose title says how high it is, to a PNG file.
 * @throws Error when the page says that it is broken
 */
export function draw(browser: string, html: string, width: number, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  try {
    const page = join(folder, 'page.html');
    writeFileSync(page, html);
    const run = (...args: string[]): string => {
      const { status, stdout, stderr, error } = spawnSync(
        browser,
        [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          '--hide-scrollbars',
          `--user-data-dir=${join(folder, 'profile')}`,
          `--virtual-time-budget=${BUDGET_MS}`,
          ...args,
          pathToFileURL(page).href,
        ],
        { encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
      );
      if (error) throw error;
      if (status !== 0) throw new Error(`${browser} ended with ${status}.\n${stderr}`);
      return stdout;
    };
    const dom = run(`--window-size=${width},2000`, '--dump-dom');
    const title = /<title>([^<]*)<\/title>/.exec(dom)?.[1] ?? 'nothing';
    const height = Number(title);
    if (!(height > 0)) throw new Error(`The page was not drawn: ${title}.`);
    run(
      `--window-size=${width},${height}`,
      `--force-device-scale-factor=${SCALE}`,
      `--screenshot=${file}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
