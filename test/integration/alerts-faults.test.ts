// What rules make of data that are long, contradictory or of somebody else.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { day, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;

beforeEach(async () => {
  world = await watchClient();
  expect(await world.check()).toEqual({ raised: 0, broken: [] });
}, 60_000);

afterEach(() => world.database.drop());

const claims = async (after: number, said: readonly object[]): Promise<void> => {
  await publishRecords(world.db, {
    stream: 'perception',
    runDate: day(after),
    key: [['marca', 'atributo']],
    records: [{ marca: 'Casa Siete', atributo: 'cercana', cliente: '7', menciones: 3, frase: 'Una frase' }],
    rest: {
      afirmaciones: said.map((one) => ({
        marca: 'Casa Siete',
        cliente: '7',
        afirmacion: 'Abre los domingos',
        veredicto: 'falsa',
        hecho: 'Según la ficha',
        revisada: day(after),
        ...one,
      })),
    },
  });
};

describe('a claim', () => {
  it('that is longer than an index holds is an alert like any other, told apart by its last word', async () => {
    const long = Array.from({ length: 700 }, () => randomBytes(4).toString('hex')).join(' ');
    await world.publish(1, { without: ['perception'], bot: 'bloqueado' });
    await claims(1, [{ afirmacion: `${long} a` }, { afirmacion: `${long} b` }]);
    expect(await world.check()).toEqual({ raised: 3, broken: [] });
    expect(await world.check()).toEqual({ raised: 0, broken: [] });
  });
});

it('a rule that fails leaves the others running, and is a failure of the check', async () => {
  await world.publish(1, { verdict: 'falsa', bot: 'bloqueado', ownPages: [] });
  await world.database.pool.query('alter view bi.citation_changes rename to other');
  const said = await airank(['alerts', 'check'], {
    cwd: '/nowhere',
    env: { DATABASE_URL: world.database.url },
  });
  expect(said).toMatchObject({ exitCode: 1, stdout: '2 new alerts, 0 messages sent\n' });
  expect(said.stderr).toMatch(
    /^Alerts by page_lost of account default could not be looked for: .*citation_changes/m,
  );
  expect(await world.read('select rule from bi.alerts order by 1')).toEqual([
    ['claim_false'],
    ['crawler_refused'],
  ]);
});
