// A process that uses an embedded Postgres, told what to do by its parent. See embedded-child.ts.
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import type { ChildAnswer } from './embedded-child.ts';

const [, , dataDir = ''] = process.argv;
const lines: string[] = [];

function answer(message: ChildAnswer): void {
  process.send?.(message);
}

try {
  const { close, ...facts } = await openEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  answer({ kind: 'opened', facts, lines });
  process.on('message', async () => {
    await close();
    process.disconnect();
  });
} catch (error) {
  answer({ kind: 'failed', message: String(error) });
  process.disconnect();
}
