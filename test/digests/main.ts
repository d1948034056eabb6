// npm run -s digests: each image of docker-compose.yml by its digest of now, as lines for .env. The engine's client
// knows which registry a name is of. All of them or, where the registry cannot be reached, nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package.ts';
import { namedImages, pinned } from './images.ts';

function digestOf(image: string): string {
  // Without `json`, buildx takes {{.Manifest…}} for its whole, long form.
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest.Digest}}'];
  return execFileSync('docker', args, {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

try {
  const images = namedImages(readFileSync(join(packageRoot(), 'docker-compose.yml'), 'utf8'));
  const lines = images.map((named) => pinned(named, digestOf(named.image)));
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  process.stderr.write(
    `No digests: ${messageOf(error)}. It takes docker with buildx, and a registry that can be reached\n`,
  );
  process.exitCode = 1;
}
