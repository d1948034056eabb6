// The findings of doctor's checks, and how they are printed.
import type { Colors } from '../print/text.ts';
import { wrap } from '../print/words.ts';

type CheckArea = 'settings' | 'database' | 'api';

export interface Check {
  readonly area: CheckArea;
  readonly level: 'fine' | 'warning' | 'fault';
  /** Name of what was checked, where all checks of an area have one; printed in a column of its own. */
  readonly label?: string;
  readonly text: string;
  readonly fix?: string;
}

const titles: Readonly<Record<CheckArea, string>> = {
  settings: 'Settings',
  database: 'Database',
  api: 'API',
};
const marks = { fine: '✓', warning: '!', fault: '✗' } as const;

export function checkLines(checks: readonly Check[], colors: Colors, width: number): string[] {
  const paint = { fine: colors.green, warning: colors.yellow, fault: colors.red };
  const labelWidth = Math.max(0, ...checks.map(({ label = '' }) => label.length));
  const areas = (['settings', 'database', 'api'] as const).filter((area) =>
    checks.some((check) => check.area === area),
  );
  return areas.flatMap((area) => [
    titles[area],
    ...checks
      .filter((check) => check.area === area)
      .flatMap(({ level, label, text, fix }) => {
        const lead = label === undefined ? '  * ' : `  * ${label.padEnd(labelWidth)} `;
        const [first = '', ...rest] = wrap(fix === undefined ? text : `${text}. ${fix}`, width, lead);
        return [first.replace('*', paint[level](marks[level])), ...rest];
      }),
    '',
  ]);
}
