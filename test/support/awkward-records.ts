// Lists of records as no sane service would send them.
import { createHash } from 'node:crypto';
import { json, object, type Raw, raw } from './awkward-json.ts';

const long = (start: string) => `${start}${'x'.repeat(5_000)}`;

/** In order: unique ids; from one day to the next one record changes, one goes, one returns and one is new. */
export function plain(day: number, salt: string, idKey = 'id', count = 7): Raw[] {
  const old = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id !== day);
  const added = Array.from({ length: day }, (_, index) => 101 + index);
  return [...old, ...added].map((id) =>
    object(
      [idKey, json(`${salt}-${id}`)],
      ['valor', id === 3 ? json(day) : raw('1.10')],
      ['grande', raw('9007199254740993')],
      ['texto', json(`ñ "comillas" \\ / \n ${salt}`)],
    ),
  );
}

/** Ids that are numbers beyond doubles, repeated, missing, null, nested, long, or alike but for case. */
export function oddIds(day: number): Raw[] {
  return [
    object(['id', raw('9007199254740992')]),
    object(['id', raw('9007199254740993')], ['dia', json(day)]),
    object(['id', raw('1234567890123456789')]),
    object(['id', raw('0.1234567890123456789')]),
    object(['id', raw('1234567890123456789')], ['otra', json(true)]),
    object(['id', raw('7')]),
    object(['id', json('7')]),
    object(['sin', json('id')], ['dia', json(day)]),
    object(['id', raw('null')]),
    object(['id', raw('null')]),
    object(['id', json({ a: 1 })]),
    object(['id', json(['a'])]),
    object(['id', json(long('largo'))], ['n', json(1)]),
    object(['id', json(long('largo'))], ['n', json(2)]),
    object(['id', json('Mayúscula')]),
    object(['id', json('mAYÚSCULA')]),
    object(['id', json('')]),
    object(['id', raw('true')]),
    object(['id', raw('-0')]),
    object(['id', raw('1.0')]),
    object(['id', raw('1.00')]),
  ];
}

/** Records that are no objects, most of them more than once. */
export function scalars(): Raw[] {
  const once = ['"texto"', '""', '42', '42.0', '1.10', 'null', 'true', 'false', '[1,2]', '[]', '[[]]', '{}'];
  // Each page holds something new: three in a row without would be a loop.
  return [...once.flatMap((text) => [text, text]), 'null', '"null"', '"42"'].map((text) => raw(text));
}

/** The same content again and again, on one page and on others. */
export function duplicates(): Raw[] {
  const same = object(['id', json('uno')], ['v', raw('1.50')]);
  const spaced = raw('{ "v" : 1.50 ,\n "id":"uno" }');
  const other = object(['id', json('uno')], ['v', raw('1.5')]);
  return [same, same, other, same, spaced, json('uno'), same, other];
}

/** Makes values that jsonb cannot hold, and some that it can although they look dangerous. */
export function poison(): Raw[] {
  const nul = raw('"a\\u0000b"', '"a\\ufffdb"');
  return [
    object(['id', json('nul')], ['v', nul]),
    object(['id', nul], ['v', json('id with a nul')]),
    object(['id', json('key')], [raw('"k\\u0000"', '"k\\ufffd"'), json(1)]),
    object(['id', json('high')], ['v', raw('"\\ud83d"', '"\\ufffd"')]),
    object(['id', json('low')], ['v', raw('"x\\uDE00y"', '"x\\ufffdy"')]),
    object(['id', json('high then text')], ['v', raw('"\\ud83dA"', '"\\ufffdA"')]),
    object(['id', json('pair')], ['v', raw('"\\ud83d\\ude00"')]),
    object(['id', json('backslash before u')], ['v', raw('"\\\\u0000 \\\\ud800"')]),
    object(['id', json('emoji')], ['v', json('👩‍👩‍👧 🇪🇸')]),
    object(['id', json('control')], ['v', raw('"\\u0001\\u001f\\u007f\\b\\f\\n\\r\\t\\/"')]),
    object(['id', json('huge')], ['v', raw('1e200000', '"1e200000"')]),
    object(['id', json('tiny')], ['v', raw('1e-20000', '"1e-20000"')]),
    object(['id', json('minus')], ['v', raw('-1E+999999', '"-1E+999999"')]),
    object(['id', raw('1e140000', '"1e140000"')]),
    object(['id', json('large')], ['v', raw('1e400')]),
    object(['id', json('precise')], ['v', raw('0.10000000000000000000000000000000000000000000001')]),
    object(['id', json('digits')], ['v', raw(`${'9'.repeat(400)}.${'1'.repeat(400)}`)]),
    object(['id', json('number in a text')], ['v', json('1e200000')]),
    object(['id', json('proto')], ['__proto__', json({ polluted: true })], ['constructor', json(null)]),
    object(['id', json('empty key')], ['', json('')]),
    object(['id', json('bytes')], ['v', raw('"a\ue000b"', '"a\ufffdb"')]),
    object(['id', json('dollar')], ['v', json("$1 $& $$ '; drop table x; -- %s ?")]),
  ];
}

/** Keys that look like what a warehouse could make of other records' keys. */
export function lookalikes(): Raw[] {
  const repeated = '{"id": "x"}';
  const hash = createHash('sha256').update(repeated).digest('hex').slice(0, 32);
  return [
    raw(repeated),
    raw(repeated),
    raw(repeated),
    json({ id: `x~${hash}` }),
    json({ id: `x~${hash}~2` }),
    json({ id: `~${hash}` }),
    json({ id: '~2' }),
    json({ id: 'x~2' }),
    raw('{"sin": 1}'),
    json({ id: `~${createHash('sha256').update('{"sin": 1}').digest('hex').slice(0, 32)}` }),
  ];
}

/** Nested `levels` deep. */
export function deep(levels: number): Raw {
  return raw(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);
}

/** About `bytes` of text in one record. */
export function large(bytes: number): Raw {
  return object(['id', json('grande')], ['texto', json('respuesta larga ñ '.repeat(bytes / 18))]);
}

export function strings(): Raw[] {
  return ['https://a.example/?q=1&r=2', 'https://a.example/?q=1&r=2', 'https://A.example/', 'ñ', ''].map(
    json,
  );
}
