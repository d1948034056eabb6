// What jobs that sync nothing do, for workers and for `airank jobs run`.
import type { CurrentSettings } from '../schedule/current-settings.ts';
import type { OtherWork } from '../schedule/run-other-job.ts';
import { backupWork } from './backup-work.ts';
import { pruneWork } from './prune-work.ts';
import { type PushLogsWorkInput, pushLogsWork } from './push-logs-work.ts';
import { type ReportWorkInput, reportWork } from './report-work.ts';

export interface OtherWorkInput extends PushLogsWorkInput, ReportWorkInput, CurrentSettings {}

export function otherWork(input: OtherWorkInput): OtherWork {
  return {
    report: reportWork(input),
    prune: pruneWork(input, input.db),
    'push-logs': pushLogsWork(input),
    backup: backupWork(input, input.pool),
  };
}
