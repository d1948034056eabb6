// Sets up tests of pushes of questions: one warehouse a file, and one server that does as it is told.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { push } from './push-in-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { startWriteServer, type WriteServer } from './write-server.ts';

type Options = Parameters<typeof push>[2];

class QuestionWorld {
  #database: TestDatabase | undefined;
  #server: WriteServer | undefined;

  async open(): Promise<void> {
    [this.#database, this.#server] = await Promise.all([createTestDatabase(), startWriteServer()]);
  }

  async close(): Promise<void> {
    await this.#server?.close();
    await this.#database?.drop();
  }

  get database(): TestDatabase {
    return expectMade(this.#database);
  }

  get db(): Executor {
    return createDatabase(this.database.pool);
  }

  get server(): WriteServer {
    return expectMade(this.#server);
  }

  readonly push = (account: string, texts: readonly string[] = [], options: Options = {}) =>
    push({ pool: this.database.pool, url: this.server.url, account }, texts, options);

  readonly writesOf = (account: string) =>
    this.db
      .selectFrom('sync.write')
      .select(['id', 'status', 'amount', 'takes', 'attempts', 'http_status', 'skipped_at'])
      .where('account', '=', account)
      .orderBy('id')
      .execute();

  /** Reads the texts of questions that are not settled. */
  readonly textsOf = async (account: string): Promise<string[]> => {
    const rows = await this.db
      .selectFrom('sync.question')
      .select('text')
      .where('account', '=', account)
      .where('text', 'is not', null)
      .orderBy('planned_at')
      .execute();
    return rows.flatMap(({ text }) => text ?? []);
  };
}

/** There from the first case on; each finds the server as it was at first. */
export function useQuestionServer(): QuestionWorld {
  const world = new QuestionWorld();
  beforeAll(() => world.open());
  beforeEach(() => world.server.reset());
  afterAll(() => world.close());
  return world;
}

function expectMade<Made>(made: Made | undefined): Made {
  if (made === undefined) throw new Error('Expected a case to run, got a world that is not open yet');
  return made;
}
