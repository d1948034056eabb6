// The example for Kubernetes: what it names is there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings, settingVariables } from '../../src/config/settings.ts';
import { packageRoot } from '../../src/core/files.ts';
import { airank } from '../support/fake-terminal.ts';

const folder = join(packageRoot(), 'examples', 'kubernetes');
const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly args: readonly string[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Pod {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds: number;
}

const secret = read('secret.yaml') as {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
};
const deployment = read('scheduler.yaml') as { readonly spec: { readonly template: { readonly spec: Pod } } };
const cronJob = read('nightly-sync.yaml') as {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } } };
};
const pods: readonly (readonly [string, Pod])[] = [
  ['scheduler.yaml', deployment.spec.template.spec],
  ['nightly-sync.yaml', cronJob.spec.jobTemplate.spec.template.spec],
];
const containersOf = ({ initContainers = [], containers }: Pod) => [...initContainers, ...containers];

describe.each(pods)('%s', (_, pod) => {
  test('gives no variable that is not a setting, not by links of services either', () => {
    expect(pod).toMatchObject({ enableServiceLinks: false });
    for (const { env = [], envFrom } of containersOf(pod)) {
      for (const { name } of env) expect(settingVariables).toContain(name);
      expect(envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
    }
  });

  test('runs commands that there are, and leaves them the time to stop', async () => {
    for (const { args } of containersOf(pod)) {
      const { stdout } = await airank([...args, '--help'], { cwd: '/nowhere', env: {} });
      expect(stdout).toContain(`Usage: airank ${args[0]} `);
    }
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});

test('the secret holds settings, and no key', () => {
  for (const [name, value] of Object.entries(secret.stringData)) {
    expect(settingVariables).toContain(name);
    expect(value).toMatch(/fill-in|^https:\/\/api\.example\.com$/);
  }
});

test('the scheduler is asked for what it answers, on the port that it listens on', () => {
  const [scheduler] = deployment.spec.template.spec.containers;
  const port = settings.httpPort.default;
  expect(scheduler?.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
  const given = new Map(scheduler?.env?.map(({ name, value }) => [name, value]));
  expect(given.get('AIRANK_HTTP_PORT')).toBe(port);
  expect(given.get('AIRANK_HTTP_HOST')).toBe('0.0.0.0');
  expect(scheduler?.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(scheduler?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
});
