import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/commands/push-logs-command.ts';
import { pushLines } from '../../src/cli/commands/push-logs-text.ts';
import type { PushSummary, SourceReport } from '../../src/writes/push/push-summary.ts';
import { noCounts } from '../../src/writes/store/log-writes.ts';

const source: SourceReport = {
  ...{
    name: 'access.log',
    sourceId: 1,
    format: 'combined',
    formatWhy: '',
    known: true,
    fromByte: 0,
    toByte: 9,
  },
  ...{ isShorter: false, unfinishedBytes: 0, counts: noCounts, uploads: 0, acceptedLines: 0 },
  ...{ refused: [], unknown: [], skipped: 0 },
};
const summary: PushSummary = {
  ...{ sources: [], notReached: [], failed: [], stop: undefined, failure: undefined, elsewhere: [] },
};

function said(over: Partial<SourceReport>, more: Partial<PushSummary> = {}): string {
  const print = { isDry: false, uploadsPerHour: 20, width: 80, rejects: undefined };
  return pushLines({ ...summary, sources: [{ ...source, ...over }], ...more }, print).join('\n');
}

describe('what a push of logs says', () => {
  it('tells lines that an earlier push had read from those that were read now', () => {
    expect(said({ uploads: 1, acceptedLines: 26_790 })).toMatch(
      /^ {2}26,790 lines that waited accepted in 1 upload$/m,
    );
    const counts = { ...noCounts, read: 12, sent: 10 };
    expect(said({ uploads: 1, acceptedLines: 10, counts })).toMatch(
      /^ {2}12 lines read, 10 accepted in 1 upload$/m,
    );
  });

  it('does not call what a stop left unsent nothing new', () => {
    expect(said({})).toMatch(/nothing new/);
    expect(said({}, { failure: new Error('stopped') })).toMatch(/nothing was sent/);
  });

  it('says in which zone it goes on', () => {
    const until = new Date('2026-11-22T23:54:00Z');
    const stop = { kind: 'deferred', until, why: 'the limit is used up' } as const;
    expect(said({}, { stop })).toMatch(/after 2026-11-22 23:54 UTC/);
  });

  it('says what is not sent when the outcome of two uploads in a row is unknown, and what to do', () => {
    const unknown = [{ id: 17, lines: 5_000, why: 'answered 503' }];
    const stop = { kind: 'outage', name: 'access.log', readTo: 1_234_567 } as const;
    const text = said({ unknown }, { stop, notReached: ['other.log'] }).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /Outcome unknown: upload 17 \(5,000 lines, answered 503\) may have arrived. --unknown resend/,
    );
    expect(text).toMatch(/nothing more was sent. access.log was read up to byte 1,234,567. Run the same/);
    expect(text).toMatch(/Not looked at yet: other.log$/);
  });

  it('names five of the logs that are open elsewhere, and counts the others', () => {
    const elsewhere = Array.from({ length: 8 }, (_, index) => ({ name: `${index}.log`, uploads: 1 }));
    const text = said({}, { elsewhere });
    expect(text.match(/push that log again/g)).toHaveLength(5);
    expect(text).toMatch(/^Uploads of 3 other logs are open: airank push writes$/m);
  });
});

it('shows until when a push waits in a terminal of 80 columns, whatever its log is called', () => {
  const report = { ...source, name: 'x'.repeat(200) };
  const shown = { report, sizeBytes: 10_000_000_000, readTo: () => 5_000_000_000 };
  expect(progressLine(shown, new Date('2026-11-22T23:54:00Z')).slice(0, 79)).toMatch(
    /^━{8}─{8} next upload 2026-11-22 23:54 UTC {2}0 uploads accepted/,
  );
});
