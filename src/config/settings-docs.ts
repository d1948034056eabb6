// What people read about the settings, made from the table: `.env.example` and docs/configuration.md.
import { type Setting, settingEntries } from './settings.ts';

export interface SettingRow {
  readonly name: string;
  /** Empty: there is none. */
  readonly default: string;
  readonly unit: string;
  readonly description: string;
  /** Name in airank.config.yaml; empty: cannot stand there. */
  readonly fileKey: string;
}

/** One row a setting, in the table's order. */
export function settingsTable(): SettingRow[] {
  return settingEntries.map(([, setting]) => ({
    name: setting.env,
    default: setting.default ?? setting.defaultNote ?? '',
    unit: setting.unit,
    description: setting.description,
    fileKey: setting.fileKey ?? '',
  }));
}

/** The table as Markdown. */
export function settingsMarkdown(): string {
  const lines = ['| variable | in the file | default | unit | meaning |', '|---|---|---|---|---|'];
  const code = (text: string) => (text === '' ? '' : `\`${text}\``);
  for (const [, setting] of settingEntries) {
    const fallback = setting.default === undefined ? (setting.defaultNote ?? '') : code(setting.default);
    const cells = [
      code(setting.env),
      code(setting.fileKey ?? ''),
      fallback,
      setting.unit,
      setting.description,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

function exampleOf(setting: Setting): string {
  const fallback = setting.default ?? setting.defaultNote ?? 'none';
  const facts = `# ${setting.description}\n# Unit: ${setting.unit}. Default: ${fallback}.`;
  return `${facts}\n# ${setting.env}=${setting.default ?? ''}`;
}

/** The text of `.env.example`: every setting with its default, commented out except the two that are needed. */
export function envExample(): string {
  const needed = ['AIRANK_BASE_URL', 'AIRANK_API_KEY'];
  const blocks = settingEntries.map(([, setting]) => {
    const block = exampleOf(setting);
    return needed.includes(setting.env) ? block.replace(`# ${setting.env}=`, `${setting.env}=`) : block;
  });
  const head = [
    '# Settings of airank-warehouse. Copy to .env and fill in; an empty value means unset.',
    '# A variable of the real environment wins over this file. Keep .env out of version control.',
  ].join('\n');
  return `${[head, ...blocks].join('\n\n')}\n`;
}
