// Connections to a Postgres that takes encrypted ones only, by a certificate of a private authority, as managed ones do.
import { chown, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { join as connect, connectTo, type PostgresProxy, startProxy } from '../support/database-proxy.ts';
import { airank } from '../support/fake-terminal.ts';
import { startRestartablePostgres } from '../support/restartable-postgres.ts';
import { type Certificate, privateAuthority, selfSigned } from '../support/self-signed.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { set } from '../support/test-server.ts';

const database = useDatabase();
const folder = oneFolder();
let ca: string;
let otherCa: string;
let server: TlsServer;
let elsewhere: TlsServer;

beforeAll(async () => {
  const authority = privateAuthority();
  [ca, otherCa] = [join(folder, 'ca.pem'), join(folder, 'other-ca.pem')];
  await writeFile(ca, authority.ca);
  await writeFile(otherCa, selfSigned().cert);
  server = await startTlsBefore(database.url, authority.issue('localhost'));
  elsewhere = await startTlsBefore(database.url, authority.issue('db.example.com'));
});

afterAll(async () => {
  await server.close();
  await elsewhere.close();
});

const run = (args: string, env: NodeJS.ProcessEnv) =>
  airank(args.split(' '), { cwd: folder, env: { AIRANK_DATA_DIR: folder, PATH: '/nonexistent', ...env } });

/** @param query with %ca for the file of the authority */
const at = (one: TlsServer, query: string) => {
  const url = new URL(one.url);
  url.search = query.replaceAll('%other', otherCa).replaceAll('%ca', ca);
  return url.href;
};

describe('an address', () => {
  test.each([
    'sslmode=require',
    'ssl=true',
    'sslmode=verify-ca&sslrootcert=%ca',
    'sslmode=verify-full&sslrootcert=%ca',
    'ssl=no-verify',
  ])('with %s reaches it encrypted, and nothing is said of it', async (query) => {
    const before = server.encrypted();
    const said = await run('views --json', { DATABASE_URL: at(server, query) });
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.encrypted()).toBeGreaterThan(before);
  });

  test.each([
    [
      'sslmode=verify-full',
      /sslmode=verify-full in DATABASE_URL checks the certificate .* sslrootcert=\/path\/ca\.pem/,
    ],
    // As libpq, which takes no less with the authorities of the system.
    ['sslmode=require&sslrootcert=system', /sslmode=verify-full in DATABASE_URL checks the certificate/],
    ['sslmode=verify-full&sslrootcert=%other', /sslmode=verify-full in DATABASE_URL checks .* sslrootcert=/],
    [
      '',
      /encrypted connections only, add sslmode=require to DATABASE_URL, or sslmode=verify-full with sslrootcert/,
    ],
    ['sslmode=disable', /encrypted connections only, add sslmode=require to DATABASE_URL/],
  ])('with "%s" is refused by an error that names sslmode and sslrootcert', async (query, fix) => {
    const said = await run('doctor --offline', { DATABASE_URL: at(server, query) });
    expect(said.exitCode).toBe(1);
    expect(`${said.stdout}${said.stderr}`.replaceAll(/\s+/g, ' ')).toMatch(fix);
  });

  test('compares the name only with verify-full', async () => {
    const said = await run('views', { DATABASE_URL: at(elsewhere, 'sslmode=verify-full&sslrootcert=%ca') });
    expect(said.exitCode).toBe(1);
    expect(said.stderr).toContain(
      'sslmode=verify-full checks the name of the server, and its certificate is for another one',
    );
    for (const query of ['sslmode=verify-ca&sslrootcert=%ca', 'sslmode=require']) {
      expect(await run('views', { DATABASE_URL: at(elsewhere, query) })).toMatchObject({ exitCode: 0 });
    }
  });

  test('that asks a server without TLS for it says how to go without', async () => {
    const plain = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end('N')),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    const said = await run('views', { DATABASE_URL: `postgres://u@127.0.0.1:${port}/w?sslmode=require` });
    plain.close();
    expect(said.exitCode).toBe(1);
    expect(said.stderr).toContain(
      'The server has no TLS, which sslmode=require in DATABASE_URL asks for: sslmode=disable',
    );
  });

  test.each([
    ['sslmode=requires', 'got sslmode=requires. Use one of disable, prefer, require, verify-ca, verify-full'],
    ['sslmode=verify-ca', 'got sslmode=verify-ca without sslrootcert. Add sslrootcert=/path/ca.pem'],
    [
      'sslmode=verify-full&sslrootcert=no.pem',
      'got sslrootcert=no.pem, a file that cannot be read. The path is relative to ',
    ],
  ])('with %s is wrong configuration', async (query, text) => {
    const said = await run('views', { DATABASE_URL: at(server, query) });
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toContain(text);
  });
});

test.each([
  ['sslmode=require', 'encrypted (TLSv1.3); the certificate of the server is not checked (sslmode=require)'],
  [
    'sslmode=verify-full&sslrootcert=%ca',
    'encrypted (TLSv1.3); the certificate of the server is checked (sslmode=verify-full)',
  ],
])('doctor says of %s what it protects from', async (query, text) => {
  const said = await run('doctor --offline --json', { DATABASE_URL: at(server, query) });
  const { checks } = JSON.parse(said.stdout) as { checks: { level: string; text: string }[] };
  expect(checks.filter((one) => one.text.startsWith(text)).map((one) => one.level)).toEqual(['fine']);
});

test('init writes beside it, and a worker keeps its connections encrypted', async () => {
  const env = { DATABASE_URL: at(server, 'sslmode=verify-full&sslrootcert=%ca') };
  await writeFile(join(folder, 'key'), 'a-key-of-nobody\n');
  const init = await run('init --base-url http://127.0.0.1:9 --key-file key --offline', env);
  expect(init).toMatchObject({ exitCode: 0, stderr: '' });
  expect(init.stdout).toContain('The data goes into the database of DATABASE_URL.');
  const before = server.encrypted();
  const worker = await airank(['jobs', 'worker'], {
    cwd: folder,
    env: { AIRANK_DATA_DIR: folder, AIRANK_LOG_LEVEL: 'info', ...env },
    stopAt: /worker\.(working|waiting)/,
  });
  expect(worker).toMatchObject({ exitCode: 0 });
  expect(server.encrypted()).toBeGreaterThan(before + 1);
});

test('readers go by the same words', async () => {
  const reader = await run('export clients', { AIRANK_READER_URL: at(server, 'sslmode=verify-full') });
  expect(reader.stderr).toMatch(
    /AIRANK_READER_URL .*sslmode=verify-full in AIRANK_READER_URL checks .* sslrootcert=/,
  );
  const fine = await run('export clients', {
    AIRANK_READER_URL: at(server, 'sslmode=verify-full&sslrootcert=%ca'),
  });
  expect(fine).toMatchObject({ exitCode: 0 });
});

describe('channel_binding=require', () => {
  const password = 'bound-to-the-certificate';

  test('is kept by a Postgres that knows it', async () => {
    const own = await startRestartablePostgres();
    try {
      const { uid, gid } = await stat(own.dataFolder);
      const files = privateAuthority().issue('localhost');
      for (const [name, text] of Object.entries({ 'server.crt': files.cert, 'server.key': files.key })) {
        const file = join(own.dataFolder, name);
        await writeFile(file, text, { mode: 0o600 });
        await chown(file, uid, gid);
      }
      await set(own.url, { ssl: 'on' });
      const url = new URL(own.url);
      url.search = 'sslmode=require&channel_binding=require';
      const doctor = await run('doctor --offline --all', { DATABASE_URL: url.href });
      expect(doctor.stdout).toContain('encrypted (TLSv1.3)');
      url.search = 'sslmode=disable&channel_binding=require';
      expect((await run('views', { DATABASE_URL: url.href })).stderr).toMatch(unbound);
    } finally {
      await own.close();
    }
  });

  const unbound = /SCRAM-SHA-256-PLUS.*channel_binding=require in the address asks for, got a server/;

  test('refuses a server that offers a login without it', async () => {
    const said = await run('views', { DATABASE_URL: at(server, 'sslmode=require&channel_binding=require') });
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(unbound);
  });

  test('sends no password to a server that asks for it in clear, also where the environment alone says so', async () => {
    let sent = '';
    const asking = await startProxy(database.url, (client, hold) => {
      client.once('data', () => {
        client.write('S');
        const open = hold(new TLSSocket(client, { isServer: true, ...selfSigned() }));
        open.once('data', () => {
          open.write(Buffer.from('520000000800000003', 'hex'));
          open.on('data', (more) => {
            sent += more.toString('latin1');
          });
        });
      });
    });
    const url = new URL(asking.url);
    url.password = password;
    const [require, inEnvironment] = ['sslmode=require&channel_binding=require', 'sslmode=require'].map(
      (query) => {
        url.search = query;
        return url.href;
      },
    );
    expect((await run('views', { DATABASE_URL: require })).stderr).toMatch(unbound);
    vi.stubEnv('PGCHANNELBINDING', 'require');
    expect((await run('views', { DATABASE_URL: inEnvironment })).stderr).toMatch(unbound);
    vi.unstubAllEnvs();
    await asking.close();
    expect(sent).toBe('');
  });
});

// A managed Postgres as it looks from outside: it takes encrypted connections only, with a certificate of its own. Behind
// it is the test's Postgres, which need not know TLS.
/** Its address is without `sslmode`. */
interface TlsServer extends PostgresProxy {
  /** Encrypted connections so far. */
  readonly encrypted: () => number;
}

const sslRequest = Buffer.from('0000000804d2162f', 'hex');

async function startTlsBefore(databaseUrl: string, certificate: Certificate): Promise<TlsServer> {
  let encrypted = 0;
  const proxy = await startProxy(databaseUrl, (client, hold) => {
    client.once('data', (first) => {
      if (!first.equals(sslRequest)) return void client.end(refusal());
      client.write('S');
      const open = hold(new TLSSocket(client, { isServer: true, ...certificate }));
      open.once('secure', () => {
        encrypted += 1;
        connect(open, hold(connectTo(databaseUrl)));
      });
    });
  });
  return { ...proxy, encrypted: () => encrypted };
}

/** invalid_authorization_specification, as Postgres says it where pg_hba.conf has hostssl alone. */
function refusal(): Buffer {
  const fields = [
    'SFATAL',
    'C28000',
    'Mno pg_hba.conf entry for host "127.0.0.1", user "u", database "d", no encryption',
  ];
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
