// test/worlds/main.ts [NAME]: how well the fields of each world are found, by source, and every field that is not right.
// test/worlds/main.ts --without [NAME]: what is mapped wrongly where one field after the other is taken out of the data.
// test/worlds/main.ts --cross [NAME]: what is mapped wrongly where it is crossed with each other world.

import { parseArgs } from 'node:util';
import { matchCrossed } from './cross-worlds.ts';
import { type Judgement, judgeMapping, sharesOf } from './judge-mapping.ts';
import { matchWithout, matchWorld } from './match-world.ts';
import type { World } from './table.ts';
import { worlds } from './worlds.ts';

const { values, positionals } = parseArgs({
  options: { without: { type: 'boolean', default: false }, cross: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const write = (line: string) => process.stdout.write(`${line}\n`);
const percent = (part: number, whole: number) => `${Math.round((part / Math.max(whole, 1)) * 100)} %`;

function line(name: string, judged: readonly Judgement[]): void {
  const { present, right, proposed, wrong } = sharesOf(judged);
  const cells = [present, right, proposed, wrong].map((value) => String(value).padStart(9));
  write(`${name.padEnd(22)}${cells.join('')}`);
}

async function tellFound(world: World): Promise<void> {
  const judged = judgeMapping(world.truth, await matchWorld(world));
  write(
    `\n${world.name}`.padEnd(23) +
      ['present', 'right', 'proposed', 'wrong'].map((title) => title.padStart(9)).join(''),
  );
  const sources = new Map<string, Judgement[]>();
  for (const one of judged) {
    const name = one.field.split('.')[0] ?? '';
    sources.set(name, [...(sources.get(name) ?? []), one]);
  }
  for (const [name, own] of sources) line(name, own);
  line('all', judged);
  const { present, right, proposed } = sharesOf(judged);
  write(
    `right without a hand ${percent(right, present)}, with the first proposals ${percent(right + proposed, present)}`,
  );
  for (const { field, verdict, got, wanted: paths } of judged.filter((one) => one.verdict !== 'right')) {
    write(
      `  ${verdict.padEnd(9)}${field}: ${got.join(', ') || '(nothing)'}; true: ${paths.join(' or ') || '(not there)'}`,
    );
  }
}

async function tellWithout(world: World): Promise<void> {
  const lacks = await matchWithout(world);
  const wrong = lacks.filter((one) => one.wrong.length > 0);
  write(`\n${world.name}: ${lacks.length} fields taken away, ${wrong.length} times another is taken wrongly`);
  for (const one of wrong) {
    const told = one.wrong.map(({ field, got, wanted }) => `${field}: ${got} (${wanted[0] ?? 'not there'})`);
    write(`  without ${one.without}  ${told.join('; ')}`);
  }
}

async function tellCrossed(world: World): Promise<void> {
  for (const other of worlds.filter(({ name }) => name !== world.name)) {
    const judged = await matchCrossed(world, other);
    const wrong = judged.filter(({ verdict }) => verdict === 'wrong');
    write(`${world.name} with ${other.name}: ${judged.length} fields, ${wrong.length} wrong`);
    for (const { field, got, wanted } of wrong) write(`  ${field}: ${got} (${wanted[0] ?? 'not there'})`);
  }
}

const tell = values.without ? tellWithout : values.cross ? tellCrossed : tellFound;
for (const world of worlds.filter(({ name }) => (positionals[0] ?? name) === name)) {
  await tell(world);
}
