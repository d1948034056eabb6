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

  test('gives the program no right that it does not need', () => {
    const rights = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    const own = services.filter(([, { image }]) => image === 'airank-warehouse');
    expect(own.length).toBeGreaterThan(2);
    for (const [name, service] of own) expect(service, name).toMatchObject(rights);
  });

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

describe('Kubernetes', () => {
  const [secret = '', scheduler = '', nightly = ''] = ['secret', 'scheduler', 'nightly-sync'].map((name) =>
    read(`examples/kubernetes/${name}.yaml`),
  );

  test('is given no variable that is not a setting, not by links of services either, and no key', () => {
    const { stringData } = parse(secret) as { readonly stringData: Readonly<Record<string, string>> };
    const given = [...`${scheduler}${nightly}`.matchAll(/\{ name: ([A-Z_]+), value/g)].map(
      ([, name]) => name,
    );
    expect(given).toContain('AIRANK_DATA_DIR');
    expect(settingVariables).toEqual(expect.arrayContaining([...given, ...Object.keys(stringData)]));
    for (const value of Object.values(stringData))
      expect(value).toMatch(/fill-in|^https:\/\/api\.example\.com$/);
    for (const pod of [scheduler, nightly]) expect(pod).toMatch(/^ +enableServiceLinks: false$/m);
  });

  test('gives pods no right that they do not need', () => {
    for (const pod of [scheduler, nightly])
      for (const bound of [
        ...['automountServiceAccountToken: false', 'runAsNonRoot: true', 'allowPrivilegeEscalation: false'],
        ...[
          'readOnlyRootFilesystem: true',
          'capabilities: { drop: [ALL] }',
          'seccompProfile: { type: Runtime',
        ],
      ])
        expect(pod).toContain(bound);
    expect(scheduler.match(/securityContext: [&*]bounds/g)).toHaveLength(2);
  });

  test('asks the scheduler for what it answers, on the port that it listens on', () => {
    const port = settings.httpPort.default;
    for (const text of [
      '{ name: AIRANK_HTTP_HOST, value: 0.0.0.0 }',
      `{ name: AIRANK_HTTP_PORT, value: "${port}" }`,
      `{ name: http, containerPort: ${port} }`,
      'httpGet: { path: /healthz, port: http }',
      'httpGet: { path: /readyz, port: http }',
    ])
      expect(scheduler).toContain(text);
  });
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
    // V8 writes the code that it runs.
    expect(unit).toMatch(/^MemoryDenyWriteExecute=no$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
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
