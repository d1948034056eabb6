// test/writes/main.ts [--kind logs|questions --kills N --seed FIRST --histories N]: what is sent, killed at
// every step. What the service received = what is accepted + what is unknown and did arrive; none twice, none lost.
import { parseArgs } from 'node:util';
import type { FaultOptions } from '../../src/sandbox/faults.ts';
import { buildIfOlder } from '../support/built-program.ts';
import { startTestServer } from '../support/test-server.ts';
import { createCopies } from '../torture/copies.ts';
import type { KillOptions, Moments } from './kill-at-moment.ts';
import { liveThroughKills } from './kill-history.ts';
import { liveThroughQuestionKills } from './question-kills.ts';

interface Told {
  readonly wrong: readonly string[];
  readonly moments: Moments;
  readonly requests: number;
  /** Counts of what came, against what is in the books. */
  readonly figures: string;
}

interface Kind {
  /** Kills and histories where none are said. */
  readonly kills: number;
  readonly histories: number;
  readonly live: (options: KillOptions, history: number) => Promise<Told>;
}

const kinds: Readonly<Record<string, Kind>> = {
  logs: {
    kills: 200,
    histories: 4,
    async live(options, history) {
      const form = history % 2 === 0 ? 'combined' : 'json';
      const lived = await liveThroughKills({
        ...options,
        form,
        ...(options.faults && { uploadsPerSecond: 20 }),
      });
      const { linesRead, linesAccepted, linesReceived, unknown } = lived;
      const figures = `${form}: ${linesRead} lines read, ${linesReceived} received = ${linesAccepted} accepted + ${lived.unknownLinesArrived} of ${unknown.length} unknown uploads, of which ${lived.unknownArrived} arrived`;
      return { ...lived, figures };
    },
  },
  questions: {
    kills: 60,
    histories: 2,
    async live(options) {
      const lived = await liveThroughQuestionKills(options);
      const { given, received, accepted, unknown, unknownArrived, unknownQuestions } = lived;
      const figures = `${given} questions given, ${received} received = ${accepted} accepted + ${unknownQuestions.length} of ${unknown.length} unknown requests, of which ${unknownArrived} arrived`;
      return { ...lived, figures };
    },
  },
};

const { values } = parseArgs({
  options: {
    kind: { type: 'string', multiple: true, default: Object.keys(kinds) },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    histories: { type: 'string' },
  },
});
const out = (line: string) => process.stdout.write(`${line}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

await buildIfOlder();
const server = await startTestServer(progress);
const copies = await createCopies(server.adminUrl);
try {
  for (const name of values.kind) {
    const kind = kinds[name];
    if (kind === undefined)
      throw new Error(`Expected --kind to be one of ${Object.keys(kinds).join(', ')}, got "${name}"`);
    const histories = Number(values.histories ?? kind.histories);
    const kills = Math.ceil(Number(values.kills ?? kind.kills) / histories);
    for (let history = 0; history < histories; history += 1) {
      const seed = Number(values.seed) + history;
      // Half of the histories have a service that fails and refuses too.
      const isWell = history < histories / 2;
      const faults: FaultOptions = { errorRate: 0.03, dropRate: 0.03 };
      const copy = await copies.clone(copies.empty);
      const beganMs = Date.now();
      const lived = await kind.live(
        {
          ...{ databaseUrl: copy.url, pool: copy.pool, seed, kills },
          ...(!isWell && { faults }),
          onKill: (told) => progress(`  ${told}`),
        },
        history,
      );
      await copy.drop();
      const { wrong, moments, requests, figures } = lived;
      const when = Object.entries(moments).map(([moment, count]) => `${count} ${moment}`);
      out(
        `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${name}, seed ${seed}: ${kills} kills (${when.join(', ')})`,
      );
      out(`      ${figures}; ${requests} requests, ${Date.now() - beganMs} ms`);
      for (const line of wrong.slice(0, 20)) out(`      ${line}`);
      if (wrong.length > 0) process.exitCode = 1;
    }
  }
} finally {
  await copies.dropAll();
  await server.stop();
}
