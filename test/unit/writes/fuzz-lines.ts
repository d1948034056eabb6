// Lines of a log, damaged in ways that logs are: cut, joined, with bytes that are none of text.

export type Random = () => number;

const pieces = [
  '"',
  '\\',
  '\\"',
  '\\x2',
  ' ',
  '  ',
  '-',
  '[',
  ']',
  '{',
  '}',
  ',',
  ';',
  '\t',
  '%',
  '%2',
  '#',
  '\0',
  '\x1b',
]
  .concat([
    '\r',
    '\u2028',
    '\ud83e',
    '🦊',
    'ñ',
    '00',
    '-1',
    '1e9',
    '9'.repeat(40),
    ' "" ',
    'null',
    '#Fields',
    '\\u0000',
  ])
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe]), Buffer.from([0xc3]), Buffer.from([0x80, 0x80, 0x80])]);

type Damage = (line: Buffer, random: Random, other: Buffer) => Buffer;

const place = (line: Buffer, random: Random) => Math.floor(random() * (line.length + 1));

const damages: readonly Damage[] = [
  (line) => line,
  (line, random) => line.subarray(0, place(line, random)),
  (line, random) => line.subarray(place(line, random)),
  (line, random) => insert(line, place(line, random), pieces[Math.floor(random() * pieces.length)] ?? line),
  (line, random) => insert(line, place(line, random), line.subarray(place(line, random))),
  (line, random, other) =>
    Buffer.concat([line.subarray(0, place(line, random)), other.subarray(place(other, random))]),
  (line, random) => {
    const from = place(line, random);
    return Buffer.concat([line.subarray(0, from), line.subarray(from + 1 + Math.floor(random() * 12))]);
  },
  (line, random) => {
    const changed = Buffer.from(line);
    if (changed.length > 0) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
    return changed;
  },
];

/** Up to four damages. A line end in it becomes a blank, so that a line stays one. */
export function damaged(lines: readonly string[], random: Random): Buffer {
  const any = () => Buffer.from(lines[Math.floor(random() * lines.length)] ?? '');
  let line = any();
  for (let times = Math.floor(random() * 5); times > 0; times -= 1) {
    line = Buffer.from(
      (damages[Math.floor(random() * damages.length)] ?? damages[0])?.(line, random, any()) ?? line,
    );
  }
  return line.map((byte) => (byte === 10 ? 32 : byte)) as Buffer;
}

function insert(line: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([line.subarray(0, at), piece, line.subarray(at)]);
}
