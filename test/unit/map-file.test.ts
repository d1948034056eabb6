// The file of the mapping: what is written, and what stays when it is written again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import type { MappingLine } from '../../src/mapping/mapping-lines.ts';
import { mapGroups } from '../../src/publish/map-file/map-groups.ts';
import { overridesIn, readMapFile } from '../../src/publish/map-file/read-map-file.ts';
import { type MapFacts, percent, writeMapFile } from '../../src/publish/map-file/write-map-file.ts';

const name = 'airank.map.yaml';

function line(field: string, more: Partial<MappingLine> = {}): MappingLine {
  return {
    field,
    type: 'text',
    path: null,
    origin: null,
    score: null,
    filled: null,
    read: null,
    isMissing: false,
    proposals: [],
    hasData: true,
    ...more,
  };
}

const found = (field: string, path: string, more: Partial<MappingLine> = {}) =>
  line(field, { path, origin: 'found', score: 0.9, filled: 1, read: 1, ...more });

const proposal = (path: string, score = 0.7) => ({
  field: '',
  path,
  score,
  filled: 0.98,
  read: 1,
  examples: ['Casa Secreta'],
});

const field = (source: string, one: string) => ({ kind: 'field', source, field: one }) as const;

const origins = [
  {
    view: 'bi.a_view',
    columns: [
      { name: 'name', comment: '', origin: field('clients', 'name') },
      { name: 'score', comment: '', origin: field('rank_now', 'score') },
    ],
  },
  {
    view: 'bi.b_view',
    columns: [
      { name: 'kind', comment: '', origin: field('rank_now', 'kind') },
      { name: 'score', comment: '', origin: field('rank_now', 'score') },
    ],
  },
];

function facts(lines: readonly MappingLine[], more: Partial<MapFacts> = {}): MapFacts {
  return {
    groups: mapGroups(
      origins,
      lines.map((one) => one.field),
    ),
    lines,
    configured: {},
    all: false,
    ...more,
  };
}

const usual = [
  found('clients.name', 'nombre'),
  found('rank_now.score', 'resultado.total'),
  line('rank_now.kind', { proposals: [proposal('tipo', 0.71), proposal('modo', 0.5)] }),
  line('rank_now.method'),
  line('rank_now.date', { origin: 'command' }),
];

const body = (text: string) =>
  text
    .split('\n')
    .filter((one) => one !== '')
    .slice(5);

test('each field stands once, under the view that shows most of its source, with what it is, might be, or is not', () => {
  expect(body(writeMapFile(facts(usual)).text)).toEqual([
    '#: ── bi.a_view ──',
    'clients.name: nombre  #: text, 100 % filled',
    '#: ── bi.b_view ──',
    '#: nothing looks like 1 field (--all lists them)',
    '# rank_now.kind: tipo  #: 0.71, text, 98 % filled',
    '# rank_now.kind: modo  #: 0.50, text, 98 % filled',
    'rank_now.date: null  #: nowhere',
    '#: also in bi.a_view:',
    'rank_now.score: resultado.total  #: text, 100 % filled',
  ]);
});

test('with all, fields that nothing looks like stand there to be said', () => {
  const { text } = writeMapFile(facts(usual, { all: true }));
  expect(text).toContain('# rank_now.method: null  #: text, nothing looks like it');
});

test('values of the data are never in the file', () => {
  expect(writeMapFile(facts(usual, { all: true })).text).not.toContain('Secreta');
});

test('every line fits 80 columns but for long paths, however many views share a field', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    view: `bi.view_with_a_long_name_${index + 10}`,
    columns: [{ name: 'x', comment: '', origin: field('rank_now', 'score') }],
  }));
  const groups = mapGroups(many, ['rank_now.score']);
  const { text } = writeMapFile({ ...facts(usual), groups });
  expect(Math.max(...text.split('\n').map((one) => one.length))).toBeLessThanOrEqual(80);
  expect(text).toContain('and 36 more views');
});

test('what people changed in the file stays when it is written again, with their comments', () => {
  const first = writeMapFile(facts(usual)).text;
  const edited = first
    .replace('rank_now.score: resultado.total', '# agreed with the team\nrank_now.score: a_b.c')
    .replace('# rank_now.kind: tipo ', 'rank_now.kind: tipo # since May ')
    .concat('# the end\n');
  const { text, added } = writeMapFile(facts(usual), readMapFile(edited, name));
  expect(added).toBe(1);
  expect(body(text)).toEqual([
    '#: ── bi.a_view ──',
    'clients.name: nombre  #: text, 100 % filled',
    '#: ── bi.b_view ──',
    '#: nothing looks like 1 field (--all lists them)',
    'rank_now.kind: tipo  # since May  #: text, 98 % filled',
    '# rank_now.kind: modo  #: 0.50, text, 98 % filled',
    'rank_now.date: null  #: nowhere',
    '#: also in bi.a_view:',
    '# agreed with the team',
    'rank_now.score: a_b.c  #: text',
    '# rank_now.score: resultado.total  #: 0.90, text, 100 % filled',
    '# the end',
  ]);
});

test('a line of a field that there is no longer stays as a comment that says why', () => {
  const before = readMapFile('# keep me\nold.field: a.b  # mine\nrank_now.kind: tipo\n', name);
  const { text, orphans } = writeMapFile(facts(usual), before);
  expect(orphans).toEqual(['old.field']);
  const again = writeMapFile(facts(usual), readMapFile(text, name));
  expect(again.text).toBe(text);
  expect(again.added).toBe(0);
  expect(text).toContain('\n# keep me\n# old.field: a.b  # taken out: there is no such field # mine\n');
});

test('what was said since the file was written replaces its line, and an undone word takes it out', () => {
  const before = readMapFile('rank_now.kind: tipo\nrank_now.date: fecha\n', name);
  const lines = [line('rank_now.kind', { path: 'modo', origin: 'command' }), line('rank_now.date')];
  const decided = new Map<string, string | null | undefined>([
    ['rank_now.kind', 'modo'],
    ['rank_now.date', undefined],
  ]);
  const { entries } = readMapFile(writeMapFile(facts(lines), before, decided).text, name);
  expect(entries.map(({ field, path }) => [field, path])).toEqual([['rank_now.kind', 'modo']]);
});

test('what the configuration says is a comment, and a line of the file about it stays', () => {
  const before = readMapFile('rank_now.kind: tipo  # mine\n', name);
  const { text } = writeMapFile(facts(usual, { configured: { 'rank_now.kind': 'modo' } }), before);
  expect(text).toContain(
    'rank_now.kind: tipo  # mine\n#: airank.config.yaml says, and wins: rank_now.kind: modo',
  );
});

test('a path that no record has any more is no longer written as found', () => {
  const lines = [found('rank_now.kind', 'tipo', { filled: 0, isMissing: true })];
  expect(readMapFile(writeMapFile(facts(lines)).text, name).entries).toEqual([]);
});

test('any path and any comment survive any number of writings', () => {
  const comment = fc.stringMatching(/^[ a-z!:"'{}#-]{0,12}$/).map((text) => `# x${text}`.trimEnd());
  const path = fc.oneof(
    fc.constant(null),
    fc.stringMatching(/^[a-z@^*"[\]|.# :&!%'{}0-9-]{1,12}$/).filter((text) => text.trim() !== ''),
  );
  fc.assert(
    fc.property(path, fc.option(comment), fc.option(comment), comment, (given, above, trailing, last) => {
      fc.pre(![above, trailing, last].some((text) => text?.includes('#:')));
      const entry = JSON.stringify(given);
      const text = `${above === null ? '' : `${above}\n`}rank_now.kind: ${entry}${trailing === null ? '' : ` ${trailing}`}\n${last}\n`;
      const once = writeMapFile(facts(usual), readMapFile(text, name)).text;
      const twice = writeMapFile(facts(usual), readMapFile(once, name)).text;
      expect(twice).toBe(once);
      expect(readMapFile(twice, name).entries.find((one) => one.field === 'rank_now.kind')?.path).toBe(given);
      for (const own of [above, trailing, last]) if (own !== null) expect(twice).toContain(own);
    }),
  );
});

test('a file that is no such file is refused with the line, and without quoting it', () => {
  const faults = (text: string) => {
    try {
      readMapFile(text, name);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  };
  expect(faults('a.b: c\na.b: d\n')).toEqual([
    'Expected airank.map.yaml:2:1 to be YAML, got a field that is named twice',
  ]);
  expect(faults('a.b: [\n')[0]).toMatch(/^Expected airank\.map\.yaml:\d:\d to be YAML, got a syntax error/);
  expect(faults('- a\n')).toHaveLength(1);
  expect(faults('a.b: 12\n')).toEqual([
    'Expected airank.map.yaml:1: a.b to be the path of a field such as a.b, or null, got 12. Put it in quotes: "12"',
  ]);
});

test('a text that begins like a comment is a path', () => {
  const { entries, end } = readMapFile('a.b: |-\n  # x\n', name);
  expect([entries[0]?.path, end, entries[0]?.trailing]).toEqual(['# x', [], undefined]);
});

test('lines about no field, and paths that are none, are all named with their line', () => {
  const { entries } = readMapFile('rank_now.scor: a\nrank_now.score: a..b\nrank_now.kind: tipo\n', name);
  const known = usual.map((one) => one.field);
  try {
    overridesIn(entries, name, known);
    expect.fail('nothing was refused');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.faults[0]).toBe(
      'Expected airank.map.yaml:1 to be about a field of the curated views, got "rank_now.scor". Did you mean rank_now.score?',
    );
    expect(error.faults[1]).toMatch(/^airank\.map\.yaml:2: rank_now\.score: Expected a name at character 3/);
    expect(error.faults).toHaveLength(2);
  }
});

test('shares are whole percent, and 0 and 100 only where it is so', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
});
