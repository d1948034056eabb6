import { describe, expect, it } from 'vitest';
import { alertsPort } from '../../src/cli/commands/schedule-command.ts';

const done = { isBusy: false, broken: [] };

function portThat(...outcomes: (typeof done | { isBusy: true; broken: [] } | Error)[]) {
  const checks: boolean[] = [];
  const stop = new AbortController();
  const run = ({ check }: { check: boolean }) => {
    checks.push(check);
    const outcome = outcomes.shift() ?? done;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  return { checks, stop, port: alertsPort(run, stop.signal) };
}

describe('the alerts of a scheduler', () => {
  it('are looked for on each look until one succeeds, and only told after it', async () => {
    const { checks, port } = portThat(new Error('the database is away'), { isBusy: true, broken: [] }, done);
    await expect(port('look')).rejects.toThrow('away');
    for (const _ of [1, 2, 3]) await port('look');
    expect(checks).toEqual([true, true, true, false]);
  });

  it('are looked for after every batch, which makes up for looks that failed', async () => {
    const { checks, port } = portThat(new Error('the database is away'));
    await port('look').catch(() => undefined);
    await port('batch');
    await port('look');
    await port('batch');
    expect(checks).toEqual([true, true, false, true]);
  });

  it('wait for the next start after a stop', async () => {
    const { checks, stop, port } = portThat();
    stop.abort();
    await port('look');
    await port('batch');
    expect(checks).toEqual([]);
  });
});
