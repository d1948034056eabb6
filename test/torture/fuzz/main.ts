// One fuzz in a process of its own, so that a parser that hangs can be ended: NAME SEED CASES.
import { fuzzes } from './all.ts';

const [name, seed, cases] = process.argv.slice(2);
const fuzz = fuzzes.find((one) => one.name === name);
if (fuzz === undefined) throw new RangeError(`no such fuzz: ${name}`);
const find = await fuzz.run(Number(seed), Number(cases));
if (find !== undefined) {
  process.stdout.write(`${find}\n`);
  process.exitCode = 1;
}
