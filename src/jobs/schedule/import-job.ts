// Imports one job file, and says where it is wrong.
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../../core/errors.ts';

export type ImportedJob = { readonly value: unknown } | { readonly fault: string };

/** What the hooks say of a file in TypeScript, which may be one that the job file imports. */
const typeScriptFault = z.object({
  code: z.enum(['AIRANK_MORE_THAN_TYPES', 'AIRANK_NO_TYPESCRIPT']),
  message: z.string(),
  path: z.string(),
  line: z.int(),
});

/** The default export of a file of the folder. */
export async function importJob(folder: string, name: string): Promise<ImportedJob> {
  try {
    const module: unknown = await import(pathToFileURL(join(folder, name)).href);
    const value =
      typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
    return { value };
  } catch (error) {
    const shown = (path: string) => relative(dirname(folder), path);
    const { data: known } = typeScriptFault.safeParse(error);
    if (known !== undefined) return { fault: `${shown(known.path)}:${known.line}: ${sentenceOf(known)}` };
    const file = `${basename(folder)}/${name}`;
    const got = `got an error: ${messageOf(error)}`;
    return {
      fault: `${placeOf(error, shown) ?? file}: Expected a module with a job as its default export, ${got}${hintOf(error, name)}`,
    };
  }
}

function sentenceOf({ code, message }: z.infer<typeof typeScriptFault>): string {
  return code === 'AIRANK_NO_TYPESCRIPT'
    ? `Expected TypeScript, got a syntax error: ${message}`
    : `Expected TypeScript that is JavaScript without its types, got: ${message}. ` +
        'Write an object instead of an enum, exports instead of a namespace';
}

/** Where Node tells it: an import of what the other file does not export. */
function placeOf(error: unknown, shown: (path: string) => string): string | undefined {
  const [, url, line] = (error instanceof Error && /^(file:\S+):(\d+)\n/.exec(error.stack ?? '')) || [];
  return url === undefined ? undefined : `${shown(fileURLToPath(url))}:${line}`;
}

/** Types were taken out without an error: an import that is left asks for what is not there. */
function hintOf(error: unknown, name: string): string {
  return error instanceof SyntaxError && extname(name) === '.ts'
    ? '. Types are imported by "import type"'
    : '';
}
