// Reads the job files of the package: one default export each, checked all at once.
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigError, messageOf } from '../core/errors.ts';
import type { Job } from './define-job.ts';

const names = z.array(z.string().min(1)).min(1).optional();

const jobShape = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'lower case letters, digits and dashes'),
  description: z.string().min(1),
  schedule: z.string().optional(),
  streams: names,
  clients: names,
  accounts: names,
  walk: z.enum(['full', 'auto']).optional(),
});

/** Where the job files are: beside `src/`, in the sources as in the build. */
export function jobsFolder(): string {
  return fileURLToPath(new URL('../../jobs/', import.meta.url));
}

/** @throws ConfigError with every fault of every file */
export async function loadJobs(folder: string, knownStreams: ReadonlySet<string>): Promise<readonly Job[]> {
  const files = (await readdir(folder)).filter(
    (file) => ['.ts', '.js'].includes(extname(file)) && !file.endsWith('.d.ts'),
  );
  const jobs: Job[] = [];
  const faults: string[] = [];
  for (const file of files.sort()) {
    const checked = jobShape.safeParse(await importDefault(join(folder, file), faults));
    if (!checked.success) {
      faults.push(
        ...checked.error.issues.map((issue) => `jobs/${file}: ${issue.path.join('.')}: ${issue.message}`),
      );
      continue;
    }
    const job = checked.data as Job;
    const unknown = (job.streams ?? []).filter((stream) => !knownStreams.has(stream));
    for (const stream of unknown)
      faults.push(`jobs/${file}: Expected streams to name known streams, got "${stream}"`);
    if (jobs.some((other) => other.name === job.name)) {
      faults.push(`jobs/${file}: Expected the name "${job.name}" once, got it in another file as well`);
    }
    jobs.push(job);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return jobs;
}

async function importDefault(path: string, faults: string[]): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  } catch (error) {
    faults.push(`${path}: cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}
