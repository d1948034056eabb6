// Reads the small files that a configuration names, and tells "not there" from "cannot be read".

/** Returns a file's text; throws as `fs.readFileSync` does. */
export type ReadFile = (path: string) => string;

export interface FileText {
  /** Undefined when the file is not there or could not be read. */
  readonly text: string | undefined;
  /** Why a file that is there could not be read. */
  readonly failure: string | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'a folder',
  EACCES: 'a file without the right to read it',
  EPERM: 'a file without the right to read it',
};

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return 'unknown';
}

export function readIfThere(path: string, readFile: ReadFile): FileText {
  try {
    return { text: readFile(path), failure: undefined };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { text: undefined, failure: undefined };
    return { text: undefined, failure: reasons[code] ?? `the error ${code}` };
  }
}
