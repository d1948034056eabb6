// Asks quickly whether a container engine answers, because testcontainers takes long to find out.
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const timeoutMs = 2_000;

/** Where an engine answers; undefined when none does. */
export async function findContainerEngine(): Promise<string | undefined> {
  for (const address of candidates()) {
    if (await answers(address)) return address;
  }
  return undefined;
}

function candidates(): string[] {
  const host = process.env['DOCKER_HOST'];
  if (host) return [host];
  if (process.platform === 'win32') return ['npipe:////./pipe/docker_engine'];
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
  ].map((path) => `unix://${path}`);
}

function answers(address: string): Promise<boolean> {
  const [, scheme = '', rest = ''] = /^(\w+):\/\/(.*)$/.exec(address) ?? [];
  const target =
    scheme === 'unix' || scheme === 'npipe'
      ? { socketPath: rest }
      : { host: rest.replace(/:\d+.*$/, ''), port: Number(/:(\d+)/.exec(rest)?.[1] ?? 2375) };
  // An encrypted engine answers a plain request with 400, which is an answer too.
  return new Promise((resolve) => {
    const asked = request({ ...target, path: '/_ping', timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(true);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
