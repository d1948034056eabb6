// Compares what a service received with what the book of writes says, line by line: nothing twice, nothing lost silently.
import type pg from 'pg';
import type { NumberedLog } from './numbered-log.ts';

/** Lines that a service has. */
export interface Received {
  /** Whether the line with this number has come. */
  has(number: number): boolean;
  readonly lines: number;
  /** Lines that had come before. */
  readonly repeated: readonly number[];
}

interface BookedRange {
  readonly id: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly sourceId: number;
  readonly blockBytes: number;
  readonly blockHash: Buffer;
  readonly fromByte: number;
  readonly toByte: number;
  /** Lines that are sent. */
  readonly amount: number;
  readonly counts: Readonly<
    Record<'read' | 'sent' | 'unreadable' | 'too_old' | 'not_bots' | 'blank', number>
  >;
}

export interface Judged {
  readonly wrong: readonly string[];
  readonly ranges: readonly BookedRange[];
  readonly linesRead: number;
  readonly linesAccepted: number;
  readonly linesReceived: number;
  /** Ranges of unknown outcome, and how many of them arrived. */
  readonly unknown: readonly number[];
  readonly unknownArrived: number;
  readonly unknownLinesArrived: number;
  readonly refused: readonly number[];
}

export async function readBook(pool: pg.Pool): Promise<readonly BookedRange[]> {
  const { rows } = await pool.query<BookedRange>(
    `select w.id::int, w.status, w.http_status as "httpStatus", s.id::int as "sourceId", s.block_bytes as "blockBytes",
       s.block_hash as "blockHash", w.from_byte::int as "fromByte", w.to_byte::int as "toByte", w.amount, w.counts
     from sync.write w join sync.write_source s on s.account = w.account and s.id = w.source_id
     order by s.id, w.from_byte`,
  );
  return rows;
}

/** @param expected one a visit, as `NumberedLog.visitOf` says it */
export async function wrongVisits(pool: pg.Pool, expected: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ visit: string; visits: number }>(
    `select concat_ws(' ', day, bot, status) as visit, sum(visits)::int as visits from sync.crawler_visit group by 1`,
  );
  const counted = new Map(rows.map(({ visit, visits }) => [visit, visits]));
  const wanted = new Map<string, number>();
  for (const visit of expected) wanted.set(visit, (wanted.get(visit) ?? 0) + 1);
  return [...new Set([...counted.keys(), ...wanted.keys()])]
    .filter((visit) => counted.get(visit) !== wanted.get(visit))
    .map(
      (visit) =>
        `${counted.get(visit) ?? 0} visits of ${visit} are counted, expected ${wanted.get(visit) ?? 0}`,
    );
}

/** When no push is left to be made. */
export async function judgePush(
  pool: pg.Pool,
  received: Received,
  logs: readonly NumberedLog[],
): Promise<Judged> {
  const ranges = await readBook(pool);
  const wrong: string[] = [];
  let unknownArrived = 0;
  let unknownLinesArrived = 0;
  const taken: string[] = [];
  const ids = new Map<NumberedLog, number>();
  for (const log of logs) {
    const own = ranges.filter(({ blockBytes, blockHash }) => log.begins(blockBytes, blockHash));
    const sources = new Set(own.map(({ sourceId }) => sourceId));
    if (sources.size > 1) wrong.push(`one log is ${sources.size} sources: ${[...sources].join(', ')}`);
    const [source] = sources;
    if (source !== undefined) ids.set(log, source);
    let atByte = 0;
    for (const range of own) {
      const where = `range ${range.id} of source ${range.sourceId}`;
      if (range.fromByte !== atByte) wrong.push(`${where} begins at ${range.fromByte}, expected ${atByte}`);
      atByte = range.toByte;
      const lines = log.linesIn(range.fromByte, range.toByte);
      const toSend = lines.filter(({ kind }) => kind === 'bot');
      const came = toSend.filter(({ number }) => received.has(number));
      const { counts } = range;
      const told = counts.sent + counts.unreadable + counts.too_old + counts.not_bots + counts.blank;
      if (counts.read !== lines.length || told !== counts.read) {
        wrong.push(`${where} has ${lines.length} lines, and counts ${JSON.stringify(counts)}`);
      }
      if (range.amount !== toSend.length) {
        wrong.push(`${where} has ${toSend.length} lines to send, and says ${range.amount}`);
      }
      const leaked = lines.filter(({ kind, number }) => kind !== 'bot' && received.has(number));
      if (leaked.length > 0) wrong.push(`${where} sent ${leaked.length} lines that were to stay here`);
      if (range.status === 'unknown') {
        if (came.length > 0) unknownArrived += 1;
        unknownLinesArrived += came.length;
        if (came.length > 0 && came.length < toSend.length) wrong.push(`${where} arrived in parts`);
      } else if (range.status === 'accepted') {
        if (came.length !== toSend.length) wrong.push(`${where} is accepted, and ${came.length} lines came`);
        taken.push(...toSend.map(({ number }) => log.visitOf(number)));
      } else if (range.status === 'refused') {
        if (came.length > 0) wrong.push(`${where} is refused, and ${came.length} lines came`);
      } else if (range.status === 'empty') {
        if (toSend.length > 0) wrong.push(`${where} is empty, and has ${toSend.length} lines to send`);
      } else {
        wrong.push(`${where} is still ${range.status} (${range.httpStatus})`);
      }
    }
    if (atByte !== log.content.length) wrong.push(`a log was read up to ${atByte} of ${log.content.length}`);
  }
  wrong.push(...(await wrongVisits(pool, taken)));
  const accepted = ranges.filter(({ status }) => status === 'accepted');
  const linesAccepted = accepted.reduce((sum, { amount }) => sum + amount, 0);
  const linesReceived = received.lines;
  if (received.repeated.length > 0) {
    wrong.push(
      `${received.repeated.length} lines came twice, such as ${received.repeated.slice(0, 10).join(', ')}`,
    );
  }
  if (linesReceived !== linesAccepted + unknownLinesArrived) {
    wrong.push(`${linesReceived} lines came, ${linesAccepted} accepted + ${unknownLinesArrived} unknown`);
  }
  return {
    wrong,
    ranges,
    linesRead: ranges.reduce((sum, { counts }) => sum + counts.read, 0),
    linesAccepted,
    linesReceived,
    unknown: idsOf(ranges, 'unknown'),
    refused: idsOf(ranges, 'refused'),
    unknownArrived,
    unknownLinesArrived,
  };
}

function idsOf(ranges: readonly BookedRange[], wanted: string): readonly number[] {
  return ranges.filter(({ status }) => status === wanted).map(({ id }) => id);
}
