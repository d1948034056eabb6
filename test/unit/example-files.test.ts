// The files for Prometheus, Grafana and systemd: whatever they name is there.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import { airank } from '../support/fake-terminal.ts';

const path = (name: string) => new URL(`../../examples/${name}`, import.meta.url);
const read = (name: string) => readFileSync(path(name), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const rules = (parse(read('prometheus-alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;

/** Labels by the name of the metric, as Prometheus sees it. */
const known = new Map<string, readonly string[]>();

beforeAll(async () => {
  for (const metric of await createMetrics(() => 1).registry.getMetricsAsArray()) {
    // prom-client keeps the labels to itself.
    const { labelNames = [] } = metric as { labelNames?: readonly string[] };
    const ends = String(metric.type) === 'histogram' ? ['_bucket', '_count'] : [''];
    for (const end of ends) known.set(`${metric.name}${end}`, [...labelNames, 'le', 'job', 'instance']);
  }
});

function expectKnown(expr: string): void {
  const metrics = expr.match(/\b(airank|process)_[a-z_]+/g) ?? [];
  expect(metrics.length, expr).toBeGreaterThan(0);
  const labels = new Set(
    metrics.flatMap((name) => {
      expect([...known.keys()], expr).toContain(name);
      return known.get(name) ?? [];
    }),
  );
  const by = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const where = [...expr.matchAll(/([a-z]+)(?:=~|!=|=)"/g)].map(([, label = '']) => label);
  for (const label of [...by, ...where]) expect([...labels], `${label} in ${expr}`).toContain(label);
}

test.each(rules)('the rule $alert reads metrics and labels that there are', ({ expr }) => expectKnown(expr));

test.each(dashboard.panels)('the panel "$title" reads metrics and labels that there are', ({ targets }) => {
  expect(targets.length).toBeGreaterThan(0);
  for (const { expr } of targets) expectKnown(expr);
});

test.skipIf(!isInstalled('promtool'))(
  'promtool takes the configuration and passes the tests of the rules',
  () => {
    execFileSync('promtool', ['check', 'config', path('prometheus.yml').pathname]);
    execFileSync('promtool', ['test', 'rules', path('prometheus-alerts-test.yml').pathname]);
  },
);

test.each([
  '../docker-compose.yml',
  'kubernetes/nightly-sync.yaml',
  'kubernetes/scheduler.yaml',
  'airank.service',
  'airank-worker@.service',
])('%s calls commands and flags that the program has', async (name) => {
  const calls = read(name).matchAll(/(?:command:|args:?) \[(.+?)\]|start\.js (.+)/g);
  const words = [...calls].map(([, list, line]) => (list ?? line ?? '').split(/,? /));
  expect(words.length).toBeGreaterThan(0);
  for (const call of words) {
    const { exitCode, stdout } = await airank([...call, '--help'], { cwd: '/' });
    expect({ call, exitCode }).toEqual({ call, exitCode: 0 });
    for (const flag of call.filter((word) => word.startsWith('--'))) expect(stdout).toContain(flag);
  }
});

describe.each([
  ['airank.service', 'schedule'],
  ['airank-worker@.service', 'jobs worker --kinds sync'],
])('the systemd unit %s', (name, command) => {
  const unit = read(name);

  test('starts the program of the build, and lets it store its pages before it is killed', () => {
    expect(/^ExecStart=\/usr\/bin\/node .*dist\/src\/start\.js (.*)$/m.exec(unit)?.[1]).toBe(command);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
  });

  test('leaves V8 its memory, and gives nothing else away', () => {
    expect(unit).toMatch(/^MemoryDenyWriteExecute=no$/m);
    const rights = [
      'DynamicUser=yes',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
    ];
    expect(unit.split('\n')).toEqual(expect.arrayContaining(rights));
  });

  test.skipIf(!isInstalled('systemd-analyze'))('is exposed less than 3 of 10', () => {
    const args = ['security', '--offline=true', path(name).pathname];
    const said = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(Number(/exposure level for airank\S*\.service: ([\d.]+)/.exec(said)?.[1])).toBeLessThan(3);
  });
});

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
