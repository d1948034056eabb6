// The text of a `.env` with some variables set: their lines are replaced, all others stay.

const plain = /^[\w./:@%+=~,-]*$/;

/** Variables are added at the end where the text has no line of them. */
export function setInEnvText(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}=${quoted(value)}`;
    // Of several lines the last one counts.
    const at = lines.findLastIndex((one) => nameIn(one) === name);
    if (at < 0) lines.push(line);
    else lines[at] = line;
  }
  return `${lines.join('\n')}\n`;
}

function nameIn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

/** @throws RangeError where no quotes are left that the value does not hold */
function quoted(value: string): string {
  if (plain.test(value)) return value;
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  // Between double quotes \\n is the end of a line.
  if (mark === undefined || (mark === '"' && value.includes('\\'))) {
    throw new RangeError(
      'Expected a value that can stand between quotes in .env, got one with quotes of all kinds',
    );
  }
  return `${mark}${value}${mark}`;
}
