// A job as the text of a job file.
import type { Job } from '../../jobs/define-job.ts';

export function jobFileText(job: Job): string {
  return [
    '// A job of airank-warehouse. All that a job can say: docs/operating.md, "Jobs".',
    "import { defineJob } from 'airank-warehouse';",
    '',
    'export default defineJob({',
    ...Object.entries(job).map(([name, value]) => `  ${name}: ${literal(value)},`),
    '});',
    '',
  ].join('\n');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`);
  return `{ ${entries.join(', ')} }`;
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
