import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { getText, listRoutes, singleRoutes, startOpenSandbox } from '../support/sandbox-requests.ts';

const slicedByClient = ['airank', 'visibility', 'visibility/history', 'rank2', 'products'];
const accountRoutes = [...listRoutes.map(([route]) => route), ...singleRoutes].filter(
  (route) => !slicedByClient.includes(route),
);

let silent: Sandbox;
let usual: Sandbox;
beforeAll(async () => {
  silent = await startOpenSandbox({ clientField: false });
  usual = await startOpenSandbox();
});
afterAll(async () => {
  await silent.close();
  await usual.close();
});

describe('a sandbox without the client field', () => {
  test.each(accountRoutes)('leaves the client out of what %s says', async (route) => {
    expect(await getText(silent, route, { limite: '200' })).not.toContain('"cliente"');
  });

  test('leaves it out of answers to questions and of the CSV too', async () => {
    expect(await getText(silent, 'ask', { pregunta: 'x' })).not.toContain('"cliente"');
    expect(await getText(silent, 'airank/history', { format: 'csv' })).not.toContain('cliente');
  });

  test('says the same otherwise', async () => {
    const without = (text: string) => text.replaceAll(/"cliente":(?:null|\d+|"[^"]*"),?/g, '');
    expect(await getText(usual, 'mediciones')).toContain('"cliente"');
    expect(without(await getText(usual, 'mediciones'))).toBe(await getText(silent, 'mediciones'));
  });

  test('says whose a record is where one client is asked for', async () => {
    expect(await getText(silent, 'airank')).toBe(await getText(usual, 'airank'));
  });
});
