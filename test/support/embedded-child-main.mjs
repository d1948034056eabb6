// A process that uses an embedded Postgres by the built program, told what to do by its parent. See embedded-child.ts.
import { openEmbeddedPostgres } from '../../dist/src/db/embedded/open.js';

const [, , dataDir] = process.argv;
const lines = [];

try {
  const { close, ...facts } = await openEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  process.send({ kind: 'opened', facts, lines });
  process.on('message', async () => {
    await close();
    process.disconnect();
  });
} catch (error) {
  process.send({ kind: 'failed', message: String(error) });
  process.disconnect();
}
