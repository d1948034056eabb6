// CI takes minutes: it is run where nothing else stands in the way, and says something of the commit that it ran on.
import type { ReleaseFacts } from './release-facts.ts';
import { releaseFaults } from './release-faults.ts';
import type { ReleaseFlags } from './release-flags.ts';

export interface CiPorts {
  read(ciIsGreen: ReleaseFacts['ciIsGreen']): Promise<ReleaseFacts>;
  /** Whether it was green. */
  runCi(): Promise<boolean>;
  log(line: string): void;
}

export async function factsAfterCi(
  { ci }: Pick<ReleaseFlags, 'ci'>,
  { read, runCi, log }: CiPorts,
): Promise<ReleaseFacts> {
  if (ci !== 'run') return await read(ci === 'green' ? true : undefined);
  const before = await read(true);
  const faults = releaseFaults(before);
  if (faults.length > 0) {
    for (const fault of faults) log(`✗ ${fault}`);
    return { ...before, ciIsGreen: 'not run' };
  }
  const isGreen = await runCi();
  const after = await read(isGreen);
  return after.commit === before.commit ? after : { ...after, ciIsGreen: undefined };
}
