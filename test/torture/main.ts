// test/torture/main.ts [--seed N --only PATTERN]: every fault on every kind of route, and what came of it; then what
// happens to a sync from outside. --only also fits `crash NAME`.
import { parseArgs } from 'node:util';
import { buildIfOlder } from '../support/built-program.ts';
import { startTestServer } from '../support/test-server.ts';
import { type CaseResult, nameOf, runCase } from './case.ts';
import { createCopies } from './copies.ts';
import { runCrashes } from './crashes.ts';
import { runModel } from './model.ts';
import { randomOf, shuffled } from './random.ts';
import { casesOf } from './selection.ts';
import { makeTemplates } from './templates.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    histories: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
let isFine = true;
const out = (line = '') => process.stdout.write(`${line}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

out(`Seed ${seed}`);
await buildIfOlder();
const server = await startTestServer(progress);
const copies = await createCopies(server.adminUrl);
try {
  const templates = await makeTemplates(copies);
  // In an order of its own for each seed: a run that is cut short has seen something of everything.
  const cases = shuffled(casesOf(values.only), randomOf(seed));
  const results: CaseResult[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(values.workers) }, async () => {
      for (let one = cases[next++]; one !== undefined; one = cases[next++]) {
        const result = await runCase(copies, templates, one);
        results.push(result);
        const verdict = result.wrong.length === 0 ? 'ok   ' : 'WRONG';
        progress(`${results.length}/${cases.length} ${verdict} ${nameOf(one)}`);
        const shown = values.verbose ? result.steps : result.wrong;
        for (const text of shown) progress(`    ${text}`);
      }
    }),
  );
  const outside = results.filter(({ wrong }) => wrong.length > 0);
  for (const { case: one, wrong } of outside) out([nameOf(one), ...wrong].join('\n    '));
  out(`${results.length} cases, ${outside.length} outside of the table`);
  const only = new RegExp(values.only, 'i');
  const hasModel = only.test('model');
  const broken = hasModel
    ? await runModel(copies, { seed, histories: Number(values.histories) }, progress)
    : undefined;
  if (hasModel)
    out(
      `model: ${broken ?? `every published date equals what the server said in ${values.histories} histories`}`,
    );
  const crashes = await runCrashes(copies, { seed, only }, progress);
  for (const { name, wrong, looks } of crashes) {
    out(`crash ${name}: ${wrong.length === 0 ? 'ok' : 'WRONG'}, ${looks} looks of readers`);
    for (const text of wrong) out(`    ${text}`);
  }
  isFine &&= broken === undefined && [...results, ...crashes].every(({ wrong }) => wrong.length === 0);
  process.exitCode = isFine ? 0 : 1;
} finally {
  await copies.dropAll();
  await server.stop();
}
