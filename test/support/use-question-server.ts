// Sets up tests of pushes of questions: one warehouse a file, and one server that does as it is told.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { push } from './push-in-process.ts';
import { useDatabase } from './test-database.ts';
import { startWriteServer, type WriteServer } from './write-server.ts';

/** There from the first case on; each finds the server as it was at first. */
export function useQuestionServer() {
  const database = useDatabase();
  let made: WriteServer | undefined;
  const server = (): WriteServer => {
    if (made === undefined) throw new Error('the server is not started yet');
    return made;
  };
  beforeAll(async () => {
    made = await startWriteServer();
  });
  beforeEach(() => server().reset());
  afterAll(() => made?.close());
  return {
    database,
    get server() {
      return server();
    },
    push: (account: string, texts: readonly string[] = [], options: Parameters<typeof push>[2] = {}) =>
      push({ pool: database.pool, url: server().url, account }, texts, options),
    writesOf: (account: string) =>
      database.rows('select * from sync.write where account = $1 order by id', account),
    /** Reads the texts of questions that are not settled. */
    textsOf: (account: string) =>
      database.lines(
        'select text from sync.question where account = $1 and text is not null order by planned_at',
        account,
      ),
  };
}
