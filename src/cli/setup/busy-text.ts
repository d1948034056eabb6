// For whom a command waits that sends to the service.

import { moment } from '../../core/moment.ts';
import type { WriteKind } from '../../writes/store/write-limits.ts';
import type { WritesHolder } from '../../writes/store/writes-holder.ts';

export function busyText(kind: WriteKind, account: string, holder: WritesHolder | undefined): string {
  const from = holder?.address === undefined ? '' : ` from ${holder.address}`;
  const since = holder?.since === undefined ? '' : `, connected since ${moment(holder.since)}`;
  const who = holder === undefined ? '' : ` (process ${holder.pid} of the database${from}${since})`;
  return `Another process sends ${kind} of account ${account}${who}: waiting for it`;
}
