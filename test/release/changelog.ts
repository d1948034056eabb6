// CHANGELOG.md by version.

export interface ChangelogSection {
  /** `0.2.0`, or `Unreleased`. */
  readonly version: string;
  /** Undefined: it has none. */
  readonly date: string | undefined;
  readonly text: string;
}

/** As they stand there: the newest first. */
export function readChangelog(text: string): ChangelogSection[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [, version = '', date] = /^(.*?)(?: \((.*)\))?$/.exec(heading.trim()) ?? [];
      return { version, date, text: lines.join('\n').trim() };
    });
}

/** The newest that has a number. */
export function newestVersion(sections: readonly ChangelogSection[]): ChangelogSection | undefined {
  return sections.find(({ version }) => version !== 'Unreleased');
}

/** The message of the tag: a line, and what users notice. */
export function tagText({ version, text }: ChangelogSection): string {
  return `airank-warehouse ${version}\n\n${text}\n`;
}
