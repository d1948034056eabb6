import { describe, expect, it } from 'vitest';
import { progressLine, pushLines } from '../../src/cli/commands/push-logs-command.ts';
import type { PushSummary, SourceReport } from '../../src/writes/push-logs.ts';
import { noCounts } from '../../src/writes/store/log-ranges.ts';

const source: SourceReport = {
  ...{ name: 'access.log', sourceId: 1, known: true, isTruncated: false, fromByte: 0, toByte: 9 },
  ...{ isShorter: false, unfinishedBytes: 0, counts: noCounts, left: {}, visits: [] },
  ...{ uploads: 0, acceptedLines: 0, refused: [], unknown: [], skipped: 0 },
};
const summary: PushSummary = {
  ...{ sources: [], notReached: [], failed: [], stop: undefined, failure: undefined, elsewhere: [] },
};

function said(over: Partial<SourceReport>, more: Partial<PushSummary> = {}): string {
  return pushLines({ ...summary, sources: [{ ...source, ...over }], ...more }, false, 'UTC').join('\n');
}

describe('what a push of logs says', () => {
  it('does not call what a stop left unsent nothing new', () => {
    expect(said({})).toMatch(/nothing new/);
    expect(said({}, { failure: new Error('stopped') })).toMatch(/nothing was sent/);
  });

  it('says that it reads a log from its start, as it was truncated', () => {
    expect(said({ isTruncated: true })).toMatch(/^access\.log: was truncated or replaced since the last/);
  });

  it('says in which zone it goes on', () => {
    const until = new Date('2026-11-22T23:54:00Z');
    const stop = { kind: 'deferred', until, why: 'the limit is used up' } as const;
    expect(said({}, { stop })).toMatch(/after 22 Nov 23:54 \(UTC\)/);
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
  const report = { ...source, name: 'x'.repeat(200), toByte: 5_000_000_000 };
  expect(progressLine(report, new Date('2099-11-22T23:54:00Z'), 'UTC').slice(0, 79)).toMatch(
    /^next upload 22 Nov 23:54 {2}0 uploads accepted {2}5,000 MB/,
  );
});
