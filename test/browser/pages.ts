// Opens pages of a dashboard's file and tells what is wrong with them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { accessibilityFaults, type Browser, type Page } from './open-browser.ts';

export interface Look {
  readonly language: 'en' | 'es';
  readonly widthPx: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Each language, width and scheme; Spanish, which is longer, where there is least room. */
export const looks = [
  { language: 'en', widthPx: 1280, colorScheme: 'light' },
  { language: 'en', widthPx: 390, colorScheme: 'dark' },
  { language: 'es', widthPx: 390, colorScheme: 'light' },
] as const satisfies readonly Look[];

export interface Opened {
  readonly page: Page;
  /** Complaints of the browser, and the requests that the page made to a server. */
  readonly complaints: readonly string[];
  /** Chooses page and client, and waits until all of it is drawn. */
  show(choice: Readonly<Record<string, string>>): Promise<void>;
  /** Text of the first element that the selector finds. */
  text(selector: string): Promise<string>;
}

export async function openFile(browser: Browser, file: string, look: Look): Promise<Opened> {
  const page = await browser.newPage({
    viewport: { width: look.widthPx, height: 900 },
    colorScheme: look.colorScheme,
  });
  const url = pathToFileURL(file).href;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  return {
    page,
    complaints,
    async show(choice) {
      await page.goto('about:blank');
      const address = new URLSearchParams({ lang: look.language, ...choice });
      await page.goto(`${url}#${address}`);
      await page.waitForFunction(`document.querySelector('main')?.dataset.state === 'ready'`);
      // Charts are drawn once their width is known.
      await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next, 50)))');
    },
    text: (selector) =>
      page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`),
  };
}

/** One line a fault: what overflows, and what a reader without sight or mouse would miss. */
export async function faultsOf(page: Page): Promise<string[]> {
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const empty = await page.evaluate<string[]>(`
    [...document.querySelectorAll('figure')]
      .filter((figure) => figure.dataset.state === 'failed')
      .map((figure) => figure.dataset.chart + ' is not drawn: ' + figure.dataset.state)`);
  return [
    ...(overflow > 0 ? [`the page is ${overflow} px wider than the window`] : []),
    ...empty,
    ...(await accessibilityFaults(page)),
  ];
}

/** Into AIRANK_SCREENSHOTS, where it is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['AIRANK_SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
