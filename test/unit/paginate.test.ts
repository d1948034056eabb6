import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/api/client.ts';
import { literalAt, type Page, type PaginateOptions, paginate } from '../../src/api/paginate.ts';
import type { PageRequest } from '../../src/api/request.ts';
import { SkippableError } from '../../src/core/errors.ts';
import { listRequest } from '../support/api-client-setup.ts';

const { signal } = new AbortController();

/** A client that answers with these bodies, one after the other. */
function scripted(bodies: readonly string[]) {
  const asked: PageRequest[] = [];
  const get = async (request: PageRequest): Promise<Answer> => {
    asked.push(request);
    const text = bodies[asked.length - 1] ?? expect.unreachable('a page too many was asked for');
    const json: unknown = request.accept === 'csv' ? undefined : JSON.parse(text);
    return { status: 200, text, json, replacedBytes: 0, bytes: text.length, attempts: 1 };
  };
  return { client: { get }, asked };
}

type Options = Partial<PaginateOptions>;

async function walk(bodies: readonly string[], options: Options = {}, request = listRequest) {
  const { client, asked } = scripted(bodies);
  const pages: Page[] = [];
  for await (const page of paginate(client, request, { signal, ...options })) pages.push(page);
  return { pages, asked, queries: asked.map(({ query }) => query) };
}

const body = (next: unknown, list: unknown[] = [1]) =>
  JSON.stringify({ acciones: list, paginacion: { siguiente: next } });

describe('paginate', () => {
  it('follows the cursors to the end and says where each page stands', async () => {
    const { pages, queries } = await walk([body('b'), body('c'), body('')], { limit: 200 });
    const limite = '200';
    expect(queries).toEqual([{ limite }, { limite, cursor: 'b' }, { limite, cursor: 'c' }]);
    expect(pages.map(({ pageNo, cursor, nextCursor }) => [pageNo, cursor, nextCursor])).toEqual([
      [1, '', 'b'],
      [2, 'b', 'c'],
      [3, 'c', undefined],
    ]);
  });

  it('sends `limite` only when asked to, and keeps the stream’s own query', async () => {
    const { queries } = await walk([body('b'), body(null)], {}, { ...listRequest, query: { texto: '1' } });
    expect(queries).toEqual([{ texto: '1' }, { texto: '1', cursor: 'b' }]);
  });

  it.each([
    ...['{"acciones":[1]}', '{"acciones":[1],"paginacion":null}', '{"acciones":[1],"paginacion":false}'],
    ...['{"acciones":[1],"paginacion":""}', '{"acciones":[1],"paginacion":[]}'],
    ...['{"acciones":[1],"paginacion":{}}', '{"acciones":[1],"paginacion":{"total":3}}'],
    '{"acciones":[1],"paginacion":{"siguiente":null}}',
    '{"acciones":[1],"paginacion":{"siguiente":false}}',
    ...['{"acciones":[1],"paginacion":{"siguiente":""}}', '{"acciones":[1],"paginacion":{"siguiente":{}}}'],
    ...['{"acciones":[1],"paginacion":{"siguiente":[]}}', '[1,2]', 'null', '"text"', '7'],
  ])('ends at %s', async (last) => {
    expect((await walk([last])).pages).toHaveLength(1);
  });

  it('ends after one page of CSV', async () => {
    const { pages } = await walk(['a,b\n1,2\n'], {}, { ...listRequest, accept: 'csv' });
    expect(pages).toHaveLength(1);
  });

  it('goes on over an empty page that names a next one', async () => {
    expect((await walk([body('b', []), body('c', []), body(null)])).pages).toHaveLength(3);
  });

  it.each(['9007199254740993', '1.0', '0', '-5', '1e3', '12345678901234567890123'])(
    'sends the numeric cursor %s exactly as it was written',
    async (literal) => {
      const first = `{ "paginacion" : {"anterior":"{\\"siguiente\\":1}","siguiente":\n${literal} } ,"acciones":[]}`;
      expect((await walk([first, body(null)])).queries[1]).toEqual({ cursor: literal });
    },
  );

  it('resumes at the page it is told, and knows the cursors from before the stop', async () => {
    const resume = { cursor: 'c', pageNo: 3 };
    const { pages, queries } = await walk([body('d'), body(null)], { resume, seenCursors: ['b', 'c'] });
    expect(queries).toEqual([{ cursor: 'c' }, { cursor: 'd' }]);
    expect(pages.map(({ pageNo, cursor }) => [pageNo, cursor])).toEqual([
      [3, 'c'],
      [4, 'd'],
    ]);
    await expect(walk([body('b')], { resume, seenCursors: ['b'] })).rejects.toThrow(/pagination loop/);
    await expect(walk([body('c')], { resume })).rejects.toThrow(/pagination loop/);
  });
});

describe('literalAt', () => {
  it('finds what is there, in any JSON text', () => {
    const key = fc.constantFrom('a', 'b', 'paginacion', '"', '\\', 'ñ', '{', '');
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false, 0, -1.5e-7, 1e21, '', '"', '\\', '}]', 'x"y'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(
        fc.dictionary(key, json),
        key,
        key,
        fc.constantFrom(0, 1, 3),
        (object, outer, inner, indent) => {
          const text = JSON.stringify(object, null, indent);
          const at = (value: unknown, name: string): unknown =>
            typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
              ? (value as Record<string, unknown>)[name]
              : undefined;
          const found = literalAt(text, [outer, inner]);
          // Compared as text: JSON.parse of Node 24 and 26 reads the key "\"" as "\\" where it has read that one before.
          expect(found?.replace(/\s/g, '')).toBe(JSON.stringify(at(at(object, outer), inner)));
        },
      ),
    );
  });

  it('takes the last of repeated keys, as JSON.parse does, also when the key is written with escapes', () => {
    expect(literalAt('{"a":{"b":1,"\\u0062":2.50}}', ['a', 'b'])).toBe('2.50');
  });
});

describe('a page that names no usable next one', () => {
  const request = { ...listRequest, clientId: '7' };
  const place = { stream: 'acciones', route: 'acciones', clientId: '7', method: 'GET', status: 200 };

  it.each([
    ['{"paginacion":"x"}', '`paginacion` to be an object, got a string'],
    ['{"paginacion":3}', '`paginacion` to be an object, got a number'],
    ['{"paginacion":[1]}', '`paginacion` to be an object, got a list'],
    [body(true), '`paginacion.siguiente` to be a text or a number, got a boolean'],
    [body([1]), '`paginacion.siguiente` to be a text or a number, got a list'],
    [body({ id: 1 }), '`paginacion.siguiente` to be a text or a number, got an object'],
  ])('says of %s what was expected, what came and where', async (text, said) => {
    const error: unknown = await walk([text], {}, request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SkippableError);
    const message = expect.stringContaining(`GET acciones: expected ${said}`);
    expect(error).toMatchObject({ place, message });
  });

  it('says of a circle on which page it closes, and where', async () => {
    const message = expect.stringMatching(/^GET acciones: .*Expected page 3 to name a new next cursor/);
    const walked = walk([body('b'), body('c'), body('b')], {}, request);
    await expect(walked).rejects.toMatchObject({ place, message });
  });

  it('makes no request after it', async () => {
    const { client, asked } = scripted([body('b'), body('b')]);
    const pages: Page[] = [];
    const walked = (async () => {
      for await (const page of paginate(client, request, { signal })) pages.push(page);
    })();
    await expect(walked).rejects.toThrow(/pagination loop/);
    expect([pages.length, asked.length]).toEqual([1, 2]);
  });
});
