// Checks what can be said of Dockerfile and docker-compose.yml without an engine.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/core/files.ts';
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
