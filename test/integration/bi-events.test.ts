// bi.events and the notes in it: what happened to a client, from the command line to the view.
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const run = (...args: string[]) => airank(args, { cwd: '/nowhere', env: { DATABASE_URL: database.url } });

const events = (where: string) =>
  database.lines(
    `select client_key, event_date, title, detail from bi.events where ${where} order by event_date, title, detail`,
  );

async function publish(
  stream: string,
  runDate: string,
  records: readonly object[],
  more = {},
): Promise<void> {
  await publishRecords(database.db, { stream, runDate, records, ...more });
}

beforeAll(async () => {
  await publish('clientes', '2026-03-01', [
    { id: 7, nombre: 'Casa Siete' },
    { id: 8, nombre: 'Ocho' },
  ]);
  const points = ['v1', 'v2', 'v2', 'v1', 'v2'].map((metodo, index) => ({
    ...{ id: index, fecha: `2026-02-0${index + 1}`, metodo, puntuacion: 50, comparable: index !== 1 },
  }));
  await publish('airank_history', '2026-03-01', points, { clientId: '7' });
  const created = { cliente: '7', creada: '2026-01-09' };
  await publish('acciones', '2026-03-01', [{ ...created, id: 'a2', titulo: 'Revisar la ficha' }]);
  for (const [runDate, estado] of [
    ['2026-03-01', 'propuesta'],
    ['2026-03-02', 'propuesta'],
    ['2026-03-03', 'hecha'],
  ] as const) {
    await publish('actions', runDate, [
      { ...created, id: 'a1', estado, titulo: 'Responder dudas', creada: '2026-01-02' },
      { ...created, id: 'a2', estado },
    ]);
  }
  await refreshMapping(database.db);
}, 60_000);

describe('bi.events', () => {
  it('tells the first comparable date of a new method, not of the first one', async () => {
    expect(await events(`event_type = 'method_change'`)).toEqual([
      'default/7 2026-02-03 AI Rank by method v2 before: v1',
    ]);
  });

  it('tells when actions were created and which status they reached, by the title of either list', async () => {
    expect(await events(`event_type = 'action'`)).toEqual([
      'default/7 2026-01-02 Responder dudas created',
      'default/7 2026-01-09 Revisar la ficha created',
      'default/7 2026-03-03 Responder dudas hecha (before: propuesta)',
      'default/7 2026-03-03 Revisar la ficha hecha (before: propuesta)',
    ]);
  });

  it('tells alerts, but not what was so when their rule began', async () => {
    await database.rows(`
      insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      values ('default', '8', 'rank_fell', 'v2', '2026-03-02', 'warning', 'It fell', true, false),
        ('default', '8', 'rank_fell', 'v1', '2026-03-02', 'warning', 'It had fallen', true, true)`);
    expect(await events(`client_id = '8'`)).toEqual(['default/8 2026-03-02 It fell -']);
    const alerts = `select title, state, told_at from bi.alerts where client_id = '8'`;
    expect(await database.lines(alerts)).toEqual(['It fell open -']);
  });
});

describe('airank note', () => {
  it('writes down what happened to a client or to the account, and takes it back', async () => {
    const first = await run('note', 'add', '--client', 'casa siete', '--date', '2026-04-03', 'New site 🚀');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Added note (\d+) to client 7 on 2026-04-03\n$/);
    const second = await run('note', 'add', '--date', '2026-04-02', ' Another agency ');
    expect(second.stdout).toMatch(/^Added note \d+ to account default on 2026-04-02\n$/);
    const notes = ['default/ 2026-04-02 Another agency -', 'default/7 2026-04-03 New site 🚀 -'];
    expect(await events(`event_type = 'note'`)).toEqual(notes);
    const listed = JSON.parse((await run('note', 'list', '--json')).stdout) as { id: number }[];
    expect(listed).toMatchObject([
      { account: 'default', client_id: '7', note_date: '2026-04-03', text: 'New site 🚀' },
      { account: 'default', client_id: '', note_date: '2026-04-02', text: 'Another agency' },
    ]);
    expect((await run('note', 'list')).stdout).toMatch(/^note +date .*\n.*2026-04-03 +default +7 +New site/);
    expect((await run('note', 'remove', String(listed[1]?.id))).exitCode).toBe(0);
    expect(await events(`event_type = 'note'`)).toEqual(notes.slice(1));
  });

  it.each([
    [['add', ' '], /^Expected the text of the note to be 1 to 500 characters, got nothing\n$/],
    [
      ['add', '--date', '2026-02-30', 'x'],
      /^Expected --date to be a date such as 2026-04-03, got "2026-02-30"\n$/,
    ],
    [
      ['add', '--client', 'Casa Siet', 'x'],
      /^Expected --client to be .* got "Casa Siet"\. Did you mean Casa Siete \(7\)\?.*\n$/,
    ],
    [['add', '--account', 'defalt', 'x'], /got "defalt"\. Did you mean default\?\n$/],
    [
      ['remove', '9999'],
      /^Expected <id> to be the number of a note, got "9999"\. airank note list shows them\n$/,
    ],
  ])('refuses %j as wrong usage', async (args, message) => {
    const said = await run('note', ...args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
  });
});
