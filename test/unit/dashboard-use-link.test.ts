// A link that is opened in a browser which has the cookie of another one.
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';

const file: string = join(packageRoot(), 'src', 'reporting', 'dashboard', 'browser', 'use-link.ts');
const { useLink } = (await import(file)) as { useLink: () => Promise<void> };

afterEach(() => {
  vi.unstubAllGlobals();
});

function open(hash: string, status: number) {
  const asked = vi.fn(async () => new Response('', { status }));
  const shown = vi.fn();
  vi.stubGlobal('location', { hash, pathname: '/', search: '?page=client' });
  vi.stubGlobal('history', { replaceState: shown });
  vi.stubGlobal('fetch', asked);
  return { asked, shown };
}

it.each([
  [401, 'no_link'],
  [500, 'failed'],
])('shows nothing of an older cookie where the link is answered with %i', async (status, why) => {
  const { shown } = open('#token=c.old.x', status);
  await expect(useLink()).rejects.toMatchObject({ why });
  expect(shown).toHaveBeenCalledWith(null, '', '/?page=client');
});

it('hands in a link, and nothing where there is none', async () => {
  const { asked } = open('#token=c.good.x', 200);
  await useLink();
  expect(asked).toHaveBeenCalledTimes(1);
  const none = open('', 401);
  await useLink();
  expect(none.asked).not.toHaveBeenCalled();
});
