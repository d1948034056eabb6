// The Chromium that npm run test:browser has fetched. Its packages are typed here, by what the tests use of them.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  evaluate<Result>(script: string): Promise<Result>;
  addInitScript(script: { content: string }): Promise<void>;
  screenshot(options: { path: string; fullPage: boolean }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(media: { colorScheme?: 'light' | 'dark'; media?: 'print' | 'screen' }): Promise<void>;
  waitForFunction(script: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  content(): Promise<string>;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  close(): Promise<void>;
}

export interface Browser {
  newPage(options: {
    viewport: { width: number; height: number };
    colorScheme?: 'light' | 'dark';
    locale?: string;
  }): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: { executablePath: string; args: readonly string[]; headless: true }): Promise<Browser>;
  };
}

interface PackedChromium {
  readonly args: readonly string[];
  executablePath(): Promise<string>;
}

/** Undefined: none was fetched. */
export const browserDir = process.env['AIRANK_BROWSER_DIR'];

const requireThere = createRequire(join(browserDir ?? import.meta.dirname, 'package.json'));

export async function openBrowser(): Promise<Browser> {
  const packed = await importThere<PackedChromium>('@sparticuz/chromium');
  const { chromium } = await importThere<Playwright>('playwright-core');
  return await chromium.launch({
    executablePath: await packed.executablePath(),
    // In one process it ends with its first page.
    args: packed.args.filter((arg) => arg !== '--single-process'),
    headless: true,
  });
}

async function importThere<Module>(name: string): Promise<Module> {
  const loaded: { default?: Module } = await import(pathToFileURL(requireThere.resolve(name)).href);
  return (loaded.default ?? loaded) as Module;
}

/** Faults of accessibility as `rule: selector`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = await readFile(requireThere.resolve('axe-core/axe.min.js'), 'utf8');
  // By evaluation: a page with a policy takes no script by a tag.
  await page.evaluate(`${axe}; undefined`);
  return await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`,
  );
}
