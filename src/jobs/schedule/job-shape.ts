// The shape of a job's file, its faults in "expected" phrases, and its meaning under a configuration. A batch
// of the queue has the job as data, so that workers need no job files.

import * as z from 'zod';
import type { AccountConfig, Config } from '../../config/config.ts';
import { storableText as text } from '../../config/setting-kinds.ts';
import { WarehouseError } from '../../core/errors.ts';
import { valueAt } from '../../core/json.ts';
import { namePattern } from '../../core/name-pattern.ts';
import { jobKinds } from '../../queue/enqueue.ts';
import { tagsOf } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { PlanQuestion } from '../../sync/plan/plan-facts.ts';
import type { Job, OtherJob, SyncJob } from '../define-job.ts';
import { parseCron } from './cron.ts';

/** @throws WarehouseError when another release has made the batch, and this one cannot read it */
export function jobOfBatch(id: number, selection: unknown): Job {
  const { job, faults } = checkJob(`batch ${id}`, valueAt(selection, ['job']));
  if (job === undefined) throw new WarehouseError(faults.join('; '));
  return job;
}

/** Jobs that sync request something of accounts; those of other kinds do not. */
export function isSyncJob(job: Job): job is SyncJob {
  return job.kind === undefined || job.kind === 'sync';
}

/** A job under a configuration: the actual accounts, streams and clients, and how they are walked. */
interface JobScope extends Omit<PlanQuestion, 'runDate' | 'againSince'> {
  readonly accounts: readonly AccountConfig[];
}

export function resolveJob(job: SyncJob, config: Config, streams: readonly Stream[]): JobScope {
  const { accounts, clients } = job;
  return {
    accounts: Array.isArray(accounts)
      ? config.accounts.filter((account) => accounts.includes(account.name))
      : config.accounts,
    streams: streams.filter((stream) => takesStream(job, stream)),
    clientsStream: streams.find((stream) => stream.name === 'clientes'),
    clientIds: Array.isArray(clients) ? clients : undefined,
    clientFits: patternOf(clients),
    again: job.again === true,
    walk: job.walk ?? 'auto',
  };
}

/** False for a job of another kind. */
export function takesStream(job: Job, stream: Stream): boolean {
  if (!isSyncJob(job)) return false;
  const { streams } = job;
  if (streams === undefined || streams === 'all') return true;
  if (!('tags' in streams)) return streams.includes(stream.name);
  const tags = tagsOf(stream);
  return streams.tags.some((tag) => tags.includes(tag));
}

/** Tells which clients fit the pattern of a job; undefined: it names none. */
export function patternOf(clients: SyncJob['clients']): ((clientId: string) => boolean) | undefined {
  if (typeof clients !== 'object' || !('matching' in clients)) return undefined;
  return namePattern(clients.matching);
}

/** `'all'` or what else is allowed there. */
function allOr<Shape extends z.ZodType>(shape: Shape) {
  return z.union([z.literal('all'), shape]).optional();
}

const names = (of: string) => z.array(text(`the name of ${of}`)).min(1, { error: `at least one ${of}` });

const anyJob = {
  name: z
    .string({ error: 'a name' })
    .regex(/^[a-z][a-z0-9-]{0,62}$/, { error: 'lower case letters, digits and dashes' }),
  description: text('a text'),
  schedule: z.string({ error: 'a cron expression' }).superRefine(checkCron).optional(),
  timeZone: z.string({ error: 'an IANA time zone such as Europe/Madrid' }).superRefine(checkZone).optional(),
  once: z.literal(true, { error: 'true, or absent' }).optional(),
  accounts: allOr(names('account')),
  clients: allOr(z.union([names('client'), z.strictObject({ matching: text('a pattern such as acme-*') })])),
  priority: z.enum(['high', 'normal', 'low'], { error: 'high, normal or low' }).optional(),
} as const;

const trueOrFalse = z.boolean({ error: 'true or false' }).optional();

const anyKind = `${jobKinds.slice(0, -1).join(', ')} or ${jobKinds.at(-1)}`;

const syncShape = z.strictObject(
  {
    ...anyJob,
    kind: z.literal('sync', { error: anyKind }).optional(),
    streams: allOr(z.union([names('stream'), z.strictObject({ tags: names('tag') })])),
    walk: z.enum(['auto', 'full'], { error: 'auto or full' }).optional(),
    again: trueOrFalse,
    beginAtOnce: trueOrFalse,
    deadlineHours: z
      .number({ error: 'a number of hours above 0' })
      .positive({ error: 'a number of hours above 0' })
      .optional(),
  },
  { error: 'a job, which is an object' },
);

const reportShape = z.strictObject({
  ...anyJob,
  kind: z.literal('report'),
  period: z.enum(['month', 'week'], { error: 'month or week' }),
  language: z.enum(['en', 'es'], { error: 'en or es' }).optional(),
  pdf: trueOrFalse,
  mail: trueOrFalse,
});

const dashboardShape = z.strictObject({
  ...anyJob,
  kind: z.literal('dashboard'),
  folder: text('the path of a folder'),
  perClient: trueOrFalse,
  language: z.enum(['en', 'es'], { error: 'en or es' }).optional(),
});

const { clients: _, ...withoutClients } = anyJob;

const pushLogsShape = z.strictObject({
  ...withoutClients,
  kind: z.literal('push-logs'),
  files: z
    .array(text('the path of a log'), { error: 'a list of paths' })
    .min(1, { error: 'at least one path' }),
  accounts: allOr(z.array(text('the name of an account')).length(1, { error: 'one account' })),
  anonymizeIp: trueOrFalse,
  stripPrefix: text('a regular expression').optional(),
  unknown: z.enum(['report', 'resend', 'skip'], { error: 'report, resend or skip' }).optional(),
});

const { accounts: __, ...withoutScope } = withoutClients;
const filesWanted = { error: 'a whole number of files above 0' };

const backupShape = z.strictObject({
  ...withoutScope,
  kind: z.literal('backup'),
  folder: text('the path of a folder'),
  keep: z.int(filesWanted).positive(filesWanted).optional(),
});

const shapes = {
  report: reportShape,
  dashboard: dashboardShape,
  'push-logs': pushLogsShape,
  backup: backupShape,
} as const satisfies Record<OtherJob['kind'], unknown>;

function isKind(kind: unknown): kind is keyof typeof shapes {
  return typeof kind === 'string' && kind in shapes;
}

function checkCron(schedule: string, context: z.core.$RefinementCtx): void {
  for (const got of parseCron(schedule).faults ?? []) {
    const message = 'a cron expression of five fields, such as 15 3 * * *';
    context.addIssue({ code: 'custom', message, params: { got } });
  }
}

function checkZone(timeZone: string, context: z.core.$RefinementCtx): void {
  try {
    if (/^[A-Za-z]/.test(timeZone)) {
      new Intl.DateTimeFormat('en', { timeZone });
      return;
    }
  } catch {
    // Reported below.
  }
  context.addIssue({ code: 'custom', message: 'an IANA time zone such as Europe/Madrid' });
}

/** Every fault of one file as a sentence, or the job. */
export function checkJob(file: string, value: unknown): { job?: Job; faults: readonly string[] } {
  const kind = valueAt(value, ['kind']);
  const shape = isKind(kind) ? shapes[kind] : syncShape;
  const checked = shape.safeParse(value);
  const known = Object.keys(shape.shape);
  const faults = (checked.error?.issues ?? []).map((issue) => faultOf(file, value, issue, known));
  // Not by the shape: zod (4) checks two properties together only where each is valid by itself.
  if (valueAt(value, ['once']) === true && valueAt(value, ['schedule']) !== undefined) {
    faults.push(`${file}: Expected once or a schedule, got both`);
  }
  return checked.success && faults.length === 0 ? { job: checked.data as Job, faults } : { faults };
}

function faultOf(file: string, value: unknown, issue: z.core.$ZodIssue, known: readonly string[]): string {
  const place = issue.path.length === 0 ? 'the default export' : issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${file}: Expected known properties (${known.join(', ')}), got ${issue.keys.join(', ')}`;
  }
  const hinted: unknown = issue.code === 'custom' ? issue.params?.['got'] : undefined;
  const got = typeof hinted === 'string' ? hinted : shown(valueAt(value, issue.path));
  return `${file}: Expected ${place} to be ${expectedOf(issue)}, got ${got}`;
}

const unions: Readonly<Record<string, string>> = {
  accounts: "'all' or a list of names",
  clients: "'all', a list of ids or { matching: 'acme-*' }",
  streams: "'all', a list of names or { tags: ['rank'] }",
};

function expectedOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_union' ? (unions[String(issue.path[0])] ?? issue.message) : issue.message;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
}
