// Where `.env` and airank.config.yaml are looked for: the working folder, then beside the data folder, so that a
// command finds them from anywhere once it knows where the data is.
import { dirname, join, resolve } from 'node:path';
import { type ReadFile, readIfThere } from './read-file.ts';

export interface SettingsFolders {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly overrides: Readonly<Record<string, string | undefined>>;
}

/** Not by what `.env` says of the data folder: that one is found already. */
export function settingsFolders({ cwd, env, overrides }: SettingsFolders): readonly string[] {
  const dataDir = overrides['AIRANK_DATA_DIR'] ?? env['AIRANK_DATA_DIR'] ?? '';
  const beside = dataDir === '' ? cwd : dirname(resolve(cwd, dataDir));
  return [...new Set([cwd, beside])];
}

export interface FoundText {
  readonly path: string;
  readonly folder: string;
  /** How a message names it: its name where it is in the working folder, else the whole path. */
  readonly label: string;
  /** Undefined when it is nowhere or could not be read. */
  readonly text: string | undefined;
  readonly failure: string | undefined;
}

/** The first that is there; where none is, that of the working folder. */
export function findText(name: string, folders: readonly string[], readFile: ReadFile): FoundText {
  const all = folders.map((folder, index): FoundText => {
    const path = join(folder, name);
    return { path, folder, label: index === 0 ? name : path, ...readIfThere(path, readFile) };
  });
  const [first] = all;
  if (first === undefined) throw new Error('no folder to look in');
  return all.find(({ text, failure }) => text !== undefined || failure !== undefined) ?? first;
}
