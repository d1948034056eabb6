// Sends one noted chunk of a log, in halves where it is too large, and reports what became of it.
import { WarehouseError } from '../../core/errors.ts';
import { deliver } from '../deliver.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import { splitChunk } from '../logs/split-chunk.ts';
import { splitRange } from '../store/log-writes.ts';
import { skipWrite } from '../store/write-book.ts';
import type { PushStop } from './push-summary.ts';
import { rangeOf } from './range-of-chunk.ts';
import type { SourcePush } from './source-push.ts';

/** `id`: its number in sync.write. Undefined: the push goes on. */
export async function deliverChunk(
  push: SourcePush,
  chunk: LogChunk,
  id: number,
): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  if (chunk.lines === 0) return undefined;
  const type = options.form === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
  const write = { account: options.account, id, kind: 'logs', takes: 1, type, bytes: chunk.body } as const;
  const delivered = await deliver(deps, write);
  push.brake.saw(delivered.kind);
  const open = { id, lines: chunk.lines };
  switch (delivered.kind) {
    case 'accepted':
      report.uploads += 1;
      report.acceptedLines += chunk.lines;
      return undefined;
    case 'too_large':
      return await deliverHalves(push, chunk, id, delivered.status);
    case 'refused':
      report.refused.push({ ...open, why: `answered ${delivered.status}` });
      return undefined;
    case 'unknown':
      if (deps.unknown === 'skip') {
        if (await skipWrite(deps.db, write)) report.skipped += 1;
      } else report.unknown.push({ ...open, why: delivered.problem });
      return push.brake.isOn ? { kind: 'outage', name: report.name, readTo: report.toByte } : undefined;
    case 'deferred':
      return delivered;
    case 'gone':
      throw new WarehouseError(
        `Upload ${id} was sent by another process, which must not be. Look at airank writes, then run it again`,
      );
  }
}

async function deliverHalves(
  push: SourcePush,
  chunk: LogChunk,
  id: number,
  status: number,
): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  const halves = splitChunk(chunk);
  if (halves === null) {
    report.refused.push({ id, lines: chunk.lines, why: `answered ${status} to a single line` });
    return undefined;
  }
  const [first, second] = halves;
  const rangeOfHalf = (half: LogChunk) => rangeOf(half, push.log, push.format.name, options);
  const ranges = [rangeOfHalf(first), rangeOfHalf(second)] as const;
  const secondId = await splitRange(deps.db, { account: options.account, id }, ranges);
  if (secondId === undefined) return undefined;
  return (await deliverChunk(push, first, id)) ?? (await deliverChunk(push, second, secondId));
}
