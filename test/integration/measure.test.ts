// Measurements on demand: three a day by the ledger, and none sent twice.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  type MeasurementRequest,
  type StartedMeasurement,
  startMeasurement,
} from '../../src/writes/measure.ts';
import { planMeasurement } from '../../src/writes/store/measurement-writes.ts';
import { airank } from '../support/fake-terminal.ts';
import { withSender } from '../support/push-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { startWriteServer, type WriteServer } from '../support/write-server.ts';
import { startAirank } from '../writes/airank-child.ts';

const database = useDatabase();
let sandbox: Sandbox;
let server: WriteServer;

beforeAll(async () => {
  [sandbox, server] = await Promise.all([
    startSandbox({ apiKeys: ['three', 'command'], perMinute: 1_000_000, perDay: 1_000_000 }),
    startWriteServer(),
  ]);
});
afterAll(async () => {
  await Promise.all([sandbox?.close(), server?.close()]);
});
beforeEach(() => server.reset());

interface Asked extends Partial<MeasurementRequest> {
  readonly account: string;
  readonly url?: string;
}

const forgotten: string[] = [];

async function measure({ url = server.url, ...request }: Asked): Promise<StartedMeasurement> {
  const { pool } = database;
  return await withSender({ pool, url, account: request.account }, async (deps) => {
    const onForgotten = (businesses: readonly string[]) => void forgotten.push(...businesses);
    const usual = { business: 'Acme', sector: undefined, location: undefined, force: false } as const;
    return await startMeasurement(
      { ...deps, pool, onBusy: () => undefined, onForgotten },
      { ...usual, unknown: 'report', ...request },
    );
  });
}

const writesOf = (account: string) =>
  database.rows('select * from sync.write where account = $1 order by id', account);

describe('a measurement', () => {
  it('is started with what was said of it, and only the answer is stored', async () => {
    const sector = 'dentista';
    const started = await measure({ account: 'one', sector, location: 'Vigo', force: true });
    expect(server.bodies).toEqual([{ empresa: 'Acme', sector, ubicacion: 'Vigo', forzar: true }]);
    expect(started).toMatchObject({ kind: 'accepted', status: 201 });
    expect(await writesOf('one')).toMatchObject([{ status: 'accepted', subject: 'Acme', http_status: 201 }]);
    await measure({ account: 'one' });
    expect(server.bodies[1]).toEqual({ empresa: 'Acme' });
  });

  it('is the third of a day, and no fourth, by the ledger and by the service', async () => {
    const url = sandbox.url;
    for (const business of ['A', 'B', 'C']) {
      const started = await measure({ account: 'three', url, business });
      expect(started).toMatchObject({ kind: 'accepted' });
    }
    expect(await measure({ account: 'three', url, business: 'A' })).toMatchObject({
      kind: 'deferred',
      why: 'the limit is used up',
    });
    await database.pool.query(`delete from sync.budget_write where account = 'three'`);
    expect((await measure({ account: 'three', url, business: 'D' })).kind).toBe('deferred');
    const writes = await writesOf('three');
    expect(writes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'refused']);
    // Its quota closes its own kind alone, and nobody has to decide about it.
    expect(writes.at(-1)?.skipped_at).not.toBeNull();
    const closed = await database.rows('select account, kind from sync.budget_write_closed');
    expect(closed).toEqual([{ account: 'three', kind: 'measurement' }]);
  });

  it('that is refused is told at once, and needs no decision', async () => {
    server.answers.push({ status: 400 });
    expect(await measure({ account: 'refused' })).toMatchObject({ kind: 'refused', status: 400 });
    server.answers.push({ status: 403 });
    await expect(measure({ account: 'refused' })).rejects.toThrow(/answered 403/);
    const writes = await writesOf('refused');
    expect(writes.map(({ status }) => status)).toEqual(['refused', 'refused']);
    expect(writes.every((write) => write.skipped_at !== null)).toBe(true);
  });

  it('that never reached the service is forgotten, and takes no place', async () => {
    await expect(measure({ account: 'deaf', url: 'http://127.0.0.1:9' })).rejects.toThrow(/POST airank\/run/);
    expect(await writesOf('deaf')).toEqual([]);
    expect(await database.rows(`select from sync.budget_write where account = 'deaf'`)).toEqual([]);
  });
});

describe('a measurement of unknown outcome', () => {
  it('is not sent again, but another business is', async () => {
    server.answers.push('drop');
    expect(await measure({ account: 'unknown' })).toMatchObject({ kind: 'unknown' });
    expect((await measure({ account: 'unknown' })).kind).toBe('undecided');
    expect((await measure({ account: 'unknown', business: 'Other' })).kind).toBe('accepted');
    expect(server.bodies).toEqual([{ empresa: 'Acme' }, { empresa: 'Other' }]);
  });

  it('is sent again as the same one, or left for good, when somebody says so', async () => {
    server.answers.push('drop', 'drop');
    await measure({ account: 'decided' });
    await measure({ account: 'decided', unknown: 'resend' });
    expect(await writesOf('decided')).toMatchObject([{ status: 'unknown', attempts: 2, skipped_at: null }]);
    expect((await measure({ account: 'decided', unknown: 'skip' })).kind).toBe('accepted');
    expect(await writesOf('decided')).toMatchObject([
      { status: 'unknown', skipped_at: expect.any(Date) },
      { status: 'accepted' },
    ]);
  });

  it('of yesterday is no reason to hold today’s back', async () => {
    server.answers.push('drop');
    await measure({ account: 'old' });
    await database.pool.query(
      `update sync.write set sent_at = sent_at - interval '25 hours' where account = 'old'`,
    );
    expect((await measure({ account: 'old' })).kind).toBe('accepted');
  });

  it('stays unknown when it is sent again and never reaches the service', async () => {
    server.answers.push('drop');
    await measure({ account: 'twice' });
    await expect(
      measure({ account: 'twice', unknown: 'resend', url: 'http://127.0.0.1:9' }),
    ).rejects.toThrow();
    expect(await writesOf('twice')).toMatchObject([{ status: 'unknown', attempts: 1 }]);
    expect((await measure({ account: 'twice' })).kind).toBe('undecided');
  });
});

it('a measurement whose process was killed before it was sent is forgotten, and that is said', async () => {
  await planMeasurement(database.db, 'kill-planned', { business: 'Acme', bytes: Buffer.from('{}') });
  forgotten.length = 0;
  await measure({ account: 'kill-planned', business: 'Other' });
  expect(forgotten).toEqual(['Acme']);
  expect(server.bodies).toEqual([{ empresa: 'Other' }]);
  expect(await writesOf('kill-planned')).toMatchObject([{ subject: 'Other' }]);
});

it('a measurement whose process is killed while it is sent is unknown, and not sent again', async () => {
  const environment = { databaseUrl: database.url, apiUrl: server.url, folder: '/' };
  const { child, ended } = startAirank(environment, ['measure', '--business', 'Killed']);
  server.onRequest = () => void child.kill('SIGKILL');
  expect((await ended).code).toBe(null);
  expect((await writesOf('default')).map(({ status }) => status)).toEqual(['sending']);
  expect((await measure({ account: 'default', business: 'Killed' })).kind).toBe('undecided');
  expect(server.bodies).toEqual([{ empresa: 'Killed' }]);
  // Commands have this account, and three a day.
  await database.pool.query(`delete from sync.budget_write where account = 'default'`);
});

describe('airank measure', () => {
  const run = (...args: string[]) =>
    airank(['measure', ...args], {
      cwd: '/',
      env: { DATABASE_URL: database.url, AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'command' },
    });

  it('says that it is a one-off, what remains, and the answer; the fourth waits with 3', async () => {
    const said = await run('--empresa', 'Acme', '--ubicacion', 'Vigo');
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(
      /^Measurement of "Acme" started \(write \d+\)\nIt is a one-off.*no trend shows it\.\n2 more measurements possible today/,
    );
    expect(said.stdout).toMatch(/Answer:\n\{\n {2}"id": "run-/);
    const json = await run('--business', 'Acme', '--force', '--json');
    const answer = { empresa: 'Acme', reutilizada: false };
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'accepted', remaining_today: 1, answer });
    await run('--business', 'Third');
    const fourth = await run('--business', 'Fourth');
    expect(fourth).toMatchObject({ exitCode: 3, stdout: '' });
    expect(fourth.stderr).toMatch(
      /^No measurement was started: the limit is used up\. From .* 00:00 \(UTC\) on/,
    );
  });

  it.each([
    [['--empresa', '  '], /Expected --empresa to be a text of 1 to 300 characters, got nothing/],
    [['--empresa', 'A', '--sector', 'x'.repeat(301)], /Expected --sector to be .* got 301/],
    [['--empresa', 'A\u0000b'], /Expected --empresa to be a text without NUL characters/],
    [[], /required option '--business, --empresa <name>' not specified/],
  ])('%j is wrong usage', async (args, message) => {
    const said = await run(...args);
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(message);
  });
});
