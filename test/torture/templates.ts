// The two pasts a case may begin with: a warehouse that never saw its stream, and one that holds two run dates.
import { daysBefore, type Templates } from './case.ts';
import type { Copies } from './copies.ts';
import { startHostileServer } from './hostile-server.ts';
import { targets, walkedClients, witness } from './kinds.ts';
import { createKeyLife, runOnce, type SyncRequest } from './run-sync.ts';
import { dateOf } from './world.ts';

export async function makeTemplates(copies: Copies): Promise<Templates> {
  const account = targets
    .filter(({ client }) => client === '')
    .flatMap(({ stream, beside }) => [stream, ...beside]);
  const perClient = targets.filter(({ client }) => client !== '').map(({ stream }) => stream);
  return {
    never: await make(copies, [{ streams: [witness] }]),
    had: await make(copies, [
      { streams: [witness, ...account], withClients: true },
      { streams: perClient, clientIds: walkedClients },
    ]),
  };
}

type Part = Pick<SyncRequest, 'streams' | 'withClients' | 'clientIds'>;

async function make(copies: Copies, parts: readonly Part[]): Promise<string> {
  const server = await startHostileServer();
  const copy = await copies.clone(copies.empty);
  const life = createKeyLife(1_000_000);
  try {
    for (let day = 1; day <= daysBefore; day += 1) {
      server.day = day;
      for (const part of parts) {
        const ended = await runOnce({
          pool: copy.pool,
          url: server.url,
          runDate: dateOf(day),
          life,
          ...part,
        });
        if (ended.exit_code !== 0) throw new Error(`a healthy server: ${JSON.stringify(ended.failures)}`);
      }
    }
  } finally {
    await server.close();
    await copy.rest();
  }
  return copy.name;
}
