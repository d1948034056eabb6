// Source of figures: data blocks in this file, or the server that sent the page.
import type { PageName, Period } from '../charts/chart.ts';
import type { Overview, PageData } from '../page/page-data.ts';
import { periodFor } from '../page/page-state.ts';

export type Unreadable = 'not_here' | 'no_access' | 'failed';

export class UnreadableError extends Error {
  readonly why: Unreadable;

  constructor(why: Unreadable, message = '') {
    super(message);
    this.why = why;
  }
}

export interface DataSource {
  readonly mode: 'file' | 'server';
  overview(): Promise<Overview>;
  /** @param period minimum; a file gives what it has */
  page(page: PageName, clientKey: string, period: Period): Promise<PageData>;
}

export function openDataSource(): DataSource {
  const block = document.getElementById('airank-overview');
  return block === null ? server() : file(block);
}

function file(block: HTMLElement): DataSource {
  // Both sides come from one build, and nobody else writes into the file.
  const read = <Value>(element: Element): Value => JSON.parse(element.textContent ?? '') as Value;
  return {
    mode: 'file',
    overview: async () => read<Overview>(block),
    page: async (page, clientKey, wanted) => {
      const blocks = [...document.querySelectorAll('script[data-page-data]')];
      const those = blocks.filter(
        (one) =>
          one.getAttribute('data-page-data') === page && one.getAttribute('data-client-key') === clientKey,
      );
      const found =
        those[
          periodFor(
            wanted,
            those.map((one) => one.getAttribute('data-from') ?? ''),
          )
        ];
      if (found === undefined) throw new UnreadableError('not_here');
      return read<PageData>(found);
    },
  };
}

function server(): DataSource {
  const get = async <Value>(path: string): Promise<Value> => {
    const answer = await fetch(path, { headers: { accept: 'application/json' } });
    if (answer.status === 403) throw new UnreadableError('no_access');
    if (!answer.ok) throw new UnreadableError('failed', `${answer.status}`);
    return (await answer.json()) as Value;
  };
  return {
    mode: 'server',
    overview: () => get<Overview>('api/clients'),
    page: (page, clientKey, { from, to }) => {
      const query = new URLSearchParams({ page, client_key: clientKey, from, to });
      return get<PageData>(`api/page?${query}`);
    },
  };
}
