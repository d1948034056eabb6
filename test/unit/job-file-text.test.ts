import { expect, test } from 'vitest';
import { jobFileText } from '../../src/cli/commands/jobs-new-command.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import { loadConfiguredJobs } from '../../src/jobs/schedule/load-jobs.ts';
import { catalog } from '../../src/streams/catalog.ts';

/** Returns what the file would export. */
async function read(text: string): Promise<unknown> {
  const module = text.replace(/^import .*$/m, 'const defineJob = (job) => job;');
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)).default;
}

test('a job as a file is the same job', async () => {
  const awkward: Job = {
    name: 'a',
    description: `It's "so" \\"\n\u2028 \${x}`,
    streams: { tags: ['rank'] },
    clients: ['7', "o'8"],
  };
  for (const job of [awkward, ...(await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog))]) {
    expect(await read(jobFileText(job))).toEqual(job);
  }
});
