// Faults of the wire: statuses, refusals, broken exchanges and bodies that are hard to carry.
import { type Fault, type Reply, raw } from '../ask.ts';
import type { Fields } from '../world.ts';

const always = (reply: Reply): Fault => ({ reach: 'answer', answer: () => reply });

const refusal = (retryAfter: unknown): Fault =>
  always(raw(429, JSON.stringify({ error: 'rate_limited', mensaje: 'Más despacio', retryAfter })));

/** Beside the right content, so that only the depth is wrong. */
function nested(depth: number): Fault {
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return {
    reach: 'answer',
    answer: (ask, hands) => {
      if (ask.pageNo !== 1) return undefined;
      const reply = hands.healthy();
      if (reply.kind !== 'json') return undefined;
      const fields = reply.body as Fields;
      const key = hands.target.listKey;
      const records = key === undefined ? undefined : (fields[key] as Fields[]);
      const marked =
        records === undefined
          ? { ...fields, hondo: '@' }
          : {
              ...fields,
              [key ?? '']: records.map((record, index) => (index === 0 ? { ...record, hondo: '@' } : record)),
            };
      return raw(200, JSON.stringify(marked).replace('"@"', deep));
    },
    claim: (truth) => {
      const value: unknown = JSON.parse(deep);
      return truth.map((record, index) => (index === 0 ? { ...record, hondo: value } : record));
    },
  };
}

const invalidUtf8: Fault = {
  reach: 'answer',
  answer: (ask, hands) => {
    if (ask.pageNo !== 1) return undefined;
    const reply = hands.healthy();
    const text =
      reply.kind === 'json' ? JSON.stringify(reply.body) : reply.kind === 'raw' ? String(reply.body) : '';
    const bytes = Buffer.from(text);
    const at = bytes.indexOf(spoiltWord(hands.target.stream));
    if (at < 0) throw new Error(`nothing to spoil in ${hands.target.stream}`);
    bytes[at] = 0xff;
    return raw(200, bytes, reply.kind === 'raw' ? reply.type : undefined);
  },
  claim: (truth, { target }) => {
    const word = spoiltWord(target.stream);
    const at = truth.findIndex((record) => JSON.stringify(record).includes(word));
    const spoil = (record: Fields): Fields =>
      JSON.parse(JSON.stringify(record).replace(word, `\ufffd${word.slice(1)}`));
    return truth.map((record, index) => (index === at ? spoil(record) : record));
  },
};

/** A value of the first record of a page. */
function spoiltWord(stream: string): string {
  return (
    {
      prediccion: 'sube',
      respuestas: 'Respuesta',
      competitors: 'rival',
      products: 'S2',
      airank_history: 'v1',
    }[stream] ?? 'x'
  );
}

export const wireFaults = {
  'answers 404': always(raw(404, '{"error":"not_found"}')),
  'answers 403': always(raw(403, '{"error":"forbidden"}')),
  'answers 401': always(raw(401, '{"error":"unauthorized"}')),
  'nested 5,000 deep': nested(5_000),
  'nested 250 deep': nested(250),
  'nested 150 deep': nested(150),
  'invalid UTF-8': invalidUtf8,
  'retryAfter 121': refusal(121),
  'retryAfter 7200': refusal(7_200),
  'retryAfter 1e9': refusal(1e9),
  'retryAfter "x"': refusal('x'),
  'retryAfter -1': refusal(-1),
  'answers 500': always(raw(500, '{"error":"interno"}')),
  truncated: always({ kind: 'wire', how: 'truncated' }),
  reset: always({ kind: 'wire', how: 'reset' }),
  hangs: always({ kind: 'wire', how: 'hangs' }),
  'HTML with 200': always(raw(200, '<html><body>Mantenimiento</body></html>', 'text/html')),
  'empty body': always(raw(200, '')),
  'CSV header only': {
    reach: 'walk',
    answer: (_ask, hands) => {
      const reply = hands.healthy();
      return reply.kind === 'raw'
        ? raw(200, `${String(reply.body).split('\n')[0]}\n`, 'text/csv')
        : undefined;
    },
  },
  'CSV that is JSON': always(raw(200, '[]', 'text/csv')),
  'CSV cut in a row': {
    reach: 'answer',
    answer: (_ask, hands) => {
      const reply = hands.healthy();
      return reply.kind === 'raw' ? raw(200, String(reply.body).slice(0, 1_003), 'text/csv') : undefined;
    },
  },
} satisfies Record<string, Fault>;
