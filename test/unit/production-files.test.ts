// Checks what can be said without an engine of the files that run it: Docker's, Kubernetes', systemd's, and those that watch it.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings, settingVariables } from '../../src/config/settings.ts';
import { packageRoot } from '../../src/core/files.ts';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import { airank } from '../support/fake-terminal.ts';

const read = (name: string) => readFileSync(join(packageRoot(), name), 'utf8');

interface Service {
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly 'x-airank': Service;
  readonly services: Readonly<Record<string, Service>>;
}

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
  const services = Object.entries(compose.services);

  test('opens no port to the network', () => {
    const ports = services.flatMap(([, { ports = [] }]) => ports);
    expect(ports.length).toBeGreaterThan(2);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('holds no password: each is asked for, and without it nothing starts', () => {
    const secrets = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASS|DATABASE_URL/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const [, value] of secrets)
      expect(value === '' || /\$\{\w+_PASSWORD:\?[^}]+\}/.test(value)).toBe(true);
  });

  test('pins every image', () => {
    const others = services.filter(([, { image }]) => image !== 'airank-warehouse');
    expect(others.map(([name]) => name)).toContain('metabase');
    for (const [name, { image }] of others) expect(image, name).toMatch(/:(?:\$\{\w+:-)?v?\d/);
  });

  test('writes reports to a volume, whose folder the image has for its user', () => {
    const { environment = {}, volumes } = compose.services['scheduler'] ?? {};
    expect(volumes).toContain(`reports:${environment['AIRANK_DATA_DIR']}`);
    expect(read('Dockerfile')).toContain(`--owner=node --group=node ${environment['AIRANK_DATA_DIR']}\n`);
  });

  test('repeats what services share where they add to it: Compose 2.30 takes an anchor within an anchor for a cycle', () => {
    expect(new Set(read('docker-compose.yml').match(/<<: .*/g))).toEqual(new Set(['<<: *airank']));
    const shared = compose['x-airank'].environment;
    const { scheduler, 'grant-bi': grant } = compose.services;
    expect(scheduler?.environment).toEqual({ ...shared, AIRANK_DATA_DIR: '/data' });
    expect(grant?.environment).toEqual({ ...shared, METABASE_READER_PASSWORD: expect.any(String) });
  });

  test('runs our image without rights that it does not need', () => {
    const own = services.filter(([, { image }]) => image === 'airank-warehouse');
    expect(own.map(([name]) => name)).toContain('scheduler');
    for (const [, service] of own) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  test('lets Metabase into the warehouse by the role of BI tools only, which is made before it starts', async () => {
    const { 'grant-bi': grant, metabase } = compose.services;
    expect(grant?.profiles).toBeUndefined();
    expect(grant?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(metabase?.depends_on).toMatchObject({
      'grant-bi': { condition: 'service_completed_successfully' },
    });
    const given = JSON.stringify(metabase);
    for (const secret of ['WAREHOUSE_PASSWORD', 'DATABASE_URL', 'env_file'])
      expect(given).not.toContain(secret);

    // The command is one that there is, and takes its password from where the file says, with no default.
    const command = grant?.command ?? [];
    const name = command[command.indexOf('--password-env') + 1] ?? '';
    expect(grant?.environment?.[name]).toBe(`\${${name}:?set it in .env}`);
    const said = await airank(command, { cwd: '/nowhere', env: { [name]: '' } });
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toContain(`Expected the environment variable ${name} to hold the password`);
    for (const [other, { environment = {} }] of services) {
      if (other !== 'grant-bi') expect(environment[name] ?? '', other).toBe('');
    }
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));

  test('ends as an ordinary user, with Node as process 1 and a health check', () => {
    expect(last).toContain('USER node');
    expect(last).toContain('ENTRYPOINT ["node", "/app/dist/src/start.js"]');
    expect(last.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
    expect(last.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
      last.findLastIndex((line) => line.startsWith('COPY')),
    );
  });

  test('runs no scripts of packages, and copies nothing that .dockerignore hides', () => {
    const installs = lines.filter((line) => line.includes('npm ci'));
    expect(installs.length).toBe(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
    expect(installs.at(-1)).toContain('--omit=dev --omit=optional');
    const allowed = read('.dockerignore').split('\n');
    const copies = lines.filter((line) => line.startsWith('COPY') && !line.includes('--from'));
    const copied = copies.flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.filter((path) => !allowed.includes(`!${path.replace(/\/$/, '')}`))).toEqual([]);
  });

  test('builds with every compiler setting that those of the sources extend', () => {
    const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' });
    const settings = files.filter((path) => path.endsWith('tsconfig.json')).map((path) => `src/${path}`);
    const extended = settings.map((path) => join(path, '..', JSON.parse(read(path)).extends));
    expect(extended).toContain('tsconfig.json');
    const build = lines.slice(0, lines.indexOf('RUN npm run build'));
    const copied = build.flatMap((line) => (line.startsWith('COPY') ? line.split(/\s+/) : []));
    expect(copied).toEqual(expect.arrayContaining([...extended, 'tsconfig.build.json']));
  });
});

const readYaml = (name: string): unknown => parse(read(`examples/kubernetes/${name}`));

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

const secret = readYaml('secret.yaml') as {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
};
const deployment = readYaml('scheduler.yaml') as {
  readonly spec: { readonly template: { readonly spec: Pod } };
};
const cronJob = readYaml('nightly-sync.yaml') as {
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

const path = (name: string) => new URL(`../../examples/${name}`, import.meta.url);

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

const rules = (parse(read('examples/prometheus-alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('examples/grafana-dashboard.json')) as Dashboard;

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
  'docker-compose.yml',
  'examples/kubernetes/nightly-sync.yaml',
  'examples/kubernetes/scheduler.yaml',
  'examples/airank.service',
  'examples/airank-worker@.service',
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
  const unit = read(`examples/${name}`);

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
