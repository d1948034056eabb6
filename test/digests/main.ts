// npm run -s digests: each image of docker-compose.yml that a variable can name otherwise, by its digest of now, as lines
// for .env. The engine's client knows which registry a name is of. All of them or, where the registry cannot be reached,
// nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';

/** `${NODE_IMAGE:-node:24-bookworm-slim}`, or only the tag of an image. */
const named = /([^\s"]*)\$\{(\w+(?:_IMAGE|_TAG)):-([^}]+)\}/g;

/** @throws Error when the answer is no digest */
function digestOf(image: string): string {
  // Without `json`, buildx takes {{.Manifest…}} for its whole, long form.
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest.Digest}}'];
  const answer = execFileSync('docker', args, {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  if (/^"sha256:[0-9a-f]{64}"$/.test(answer)) return answer.slice(1, -1);
  throw new Error(`Expected the digest of ${image} as sha256: and 64 digits, got ${answer.slice(0, 80)}`);
}

try {
  const compose = readFileSync(join(packageRoot(), 'docker-compose.yml'), 'utf8');
  const found = [...compose.matchAll(named)];
  const images = new Map(found.map(([, before, variable, value]) => [variable, { before, value }]));
  const lines = [...images].map(
    ([variable, { before, value }]) => `${variable}=${value}@${digestOf(`${before}${value}`)}\n`,
  );
  process.stdout.write(lines.join(''));
} catch (error) {
  process.stderr.write(
    `No digests: ${messageOf(error)}. It takes docker with buildx, and a registry that can be reached\n`,
  );
  process.exitCode = 1;
}
