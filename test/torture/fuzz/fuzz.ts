// A parser under a stream of made-up input. What it may throw is documented; anything else, a result that
// breaks its promise, or a case that takes a second is a find.
import fc from 'fast-check';

export interface Fuzz {
  readonly name: string;
  /** @returns the first find with its smallest input; undefined: none */
  run(seed: number, cases: number): Promise<string | undefined>;
}

/** Longest time for one case: a parser that needs more hangs for all that matters. */
const longestMs = 1_000;

/** @param check throws on a find */
export function fuzzOf<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
): Fuzz {
  return {
    name,
    run: async (seed, cases) => {
      const property = fc.asyncProperty(inputs, async (input) => {
        // Its own time: what others do on the machine is not its fault.
        const before = process.cpuUsage();
        await check(input);
        const { user } = process.cpuUsage(before);
        if (user > longestMs * 1_000) throw new Error(`took ${Math.round(user / 1_000)} ms of the processor`);
      });
      const details = await fc.check(property, { seed, numRuns: cases });
      if (!details.failed) return undefined;
      const error = details.errorInstance;
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      return `${text.slice(0, 300)} on ${fc.stringify(details.counterexample).slice(0, 500)}`;
    },
  };
}

/** Whether `work` ends, or throws what it says it throws. */
export function throwsOnly<Result>(
  work: () => Result,
  ...classes: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (classes.some((one) => error instanceof one)) return undefined;
    throw error;
  }
}

export function expectSame(got: unknown, expected: unknown, what: string): void {
  if (fc.stringify(got) !== fc.stringify(expected)) {
    throw new Error(
      `${what}: expected ${fc.stringify(expected).slice(0, 120)}, got ${fc.stringify(got).slice(0, 120)}`,
    );
  }
}
