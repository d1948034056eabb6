// A log whose lines are numbered (`id=NNN` in the path), with all its bytes at hand: what a log says, whatever files it
// is in by now.
import { createHash } from 'node:crypto';

/** Only lines of bots that are new enough are to be sent. */
type LineKind = 'bot' | 'person' | 'old' | 'unreadable' | 'blank';

interface NumberedLine {
  /** 0 of a blank line. */
  readonly number: number;
  readonly kind: LineKind;
  /** Place in the log, its line end included. */
  readonly fromByte: number;
  readonly toByte: number;
}

const dayMs = 86_400_000;
const agents: Readonly<Record<'bot' | 'person', readonly string[]>> = {
  bot: [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  ],
  person: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
};

function momentOf(number: number, nowMs: number): number {
  return nowMs - (number % 3_600) * 1_000;
}

function statusOf(number: number): number {
  return number % 17 === 0 ? 404 : 200;
}

export type NumberedForm = 'combined' | 'json';

/** Two hours east of UTC. */
function combinedTime(at: Date): string {
  const [, day, month, year, time] = new Date(at.getTime() + 7_200_000).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0200`;
}

/** Without a line end. */
function numberedLine(
  number: number,
  kind: LineKind,
  nowMs: number,
  form: NumberedForm = 'combined',
): string {
  if (kind === 'blank') return '';
  if (kind === 'unreadable') return `what is this? id=${number}`;
  const at = new Date(kind === 'old' ? nowMs - 95 * dayMs : momentOf(number, nowMs));
  const listed = agents[kind === 'person' ? 'person' : 'bot'];
  const agent = listed[number % listed.length] ?? '';
  const address = `198.51.100.${number % 250}`;
  const path = `/seite/${number % 91}/id=${number}`;
  const status = statusOf(number);
  if (form === 'json') {
    const request = {
      remote_addr: address,
      request_uri: `${path}?von=${number}`,
      status,
      http_user_agent: agent,
    };
    return JSON.stringify({ time_iso8601: at.toISOString(), ...request, http_cookie: `sitzung=${number}` });
  }
  return `${address} - - [${combinedTime(at)}] "GET ${path} HTTP/1.1" ${status} ${number % 9_999} "-" "${agent}"`;
}

const usual: readonly LineKind[] = [
  'bot',
  'bot',
  'bot',
  'bot',
  'person',
  'person',
  'old',
  'unreadable',
  'blank',
];

export class NumberedLog {
  readonly lines: NumberedLine[] = [];
  readonly #nowMs: number;
  readonly #form: NumberedForm;
  #content = Buffer.alloc(0);

  constructor(nowMs: number, form: NumberedForm = 'combined') {
    this.#nowMs = nowMs;
    this.#form = form;
  }

  get content(): Buffer {
    return this.#content;
  }

  /** Adds so many lines; `numbers` gives each its own. @returns the bytes that came */
  grow(count: number, numbers: () => number, random: () => number): Buffer {
    const texts: string[] = [];
    let atByte = this.#content.length;
    for (let line = 0; line < count; line += 1) {
      // The first tells the format.
      const kind = this.lines.length === 0 ? 'bot' : (usual[Math.floor(random() * usual.length)] ?? 'bot');
      const number = kind === 'blank' ? 0 : numbers();
      const text = `${numberedLine(number, kind, this.#nowMs, this.#form)}\n`;
      this.lines.push({ number, kind, fromByte: atByte, toByte: atByte + text.length });
      atByte += text.length;
      texts.push(text);
    }
    const added = Buffer.from(texts.join(''));
    this.#content = Buffer.concat([this.#content, added]);
    return added;
  }

  /** Whether a source that began so is this log. */
  begins(blockBytes: number, blockHash: Buffer): boolean {
    if (blockBytes === 0 || blockBytes > this.#content.length) return false;
    return createHash('sha256').update(this.#content.subarray(0, blockBytes)).digest().equals(blockHash);
  }

  /** Returns what a line of a bot says of its visit; the day is of UTC. */
  visitOf(number: number): string {
    const bot = ['GPTBot', 'ClaudeBot', 'PerplexityBot'][number % agents.bot.length];
    return `${new Date(momentOf(number, this.#nowMs)).toISOString().slice(0, 10)} ${bot} ${statusOf(number)}`;
  }

  linesIn(fromByte: number, toByte: number): readonly NumberedLine[] {
    return this.lines.filter((line) => line.fromByte >= fromByte && line.toByte <= toByte);
  }
}
