// airank metabase in the test's process, on a fake Metabase.
import { Secret } from '../../src/config/config.ts';
import {
  applyMetabase,
  type BringOptions,
  type Brought,
} from '../../src/reporting/metabase/apply-metabase.ts';
import type { Change } from '../../src/reporting/metabase/metabase-http.ts';
import { type FakeMetabase, metabaseKey } from './fake-metabase.ts';
import type { Row } from './metabase-forms.ts';

export const databaseUrl = 'postgres://bi:pass%2Fword@db.example.com:5433/airank?sslmode=require';

export async function bring(metabase: FakeMetabase, options: Partial<BringOptions> = {}): Promise<Brought> {
  return await applyMetabase({
    url: new URL(metabase.url),
    key: new Secret(metabaseKey),
    signal: new AbortController().signal,
    overwrite: false,
    database: { name: 'AI Rank warehouse', url: databaseUrl, reconnect: false },
    waitMs: 5_000,
    pauseMs: 1,
    ...options,
  });
}

/** Lists what had to be made or changed. */
export function done({ changes }: Brought): readonly Change[] {
  return changes.filter(({ what }) => what !== 'same');
}

export function named(rows: readonly Row[], name: string): Row {
  const row = rows.find((one) => one['name'] === name);
  if (row === undefined) throw new Error(`no ${name}`);
  return row;
}
