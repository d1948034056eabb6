// Doctor on the curated views: which of their fields are not found in the data, and what they might be.

import { plural } from '../../core/plural.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { Check } from './check.ts';

const mostProposals = 5;
/** Below this a proposal is a guess that nobody needs to read. */
const leastScore = 0.5;

export function checkMapping(lines: readonly MappingLine[]): Check[] {
  const withData = lines.filter((line) => line.hasData);
  if (withData.length === 0) return [];
  const unmapped = withData.filter((line) => line.path === null && line.origin === null);
  const lost = withData.filter((line) => line.isMissing);
  const text = `${plural(withData.length - unmapped.length, 'field')} of the curated views found in the data, ${unmapped.length} not`;
  const summary: Check = { area: 'database', level: 'fine', text };
  const doubtful = unmapped
    .flatMap((line) => {
      const [best] = line.proposals;
      return best === undefined || best.score < leastScore ? [] : [{ line, best }];
    })
    .sort((a, b) => b.best.score - a.best.score);
  const proposed = doubtful.slice(0, mostProposals).map(
    ({ line, best }): Check => ({
      area: 'database',
      level: 'warning',
      text: `${line.field} is not found and might be ${best.path} (score ${best.score.toFixed(2)})`,
      fix: `If it is: airank map ${line.field} ${shellWord(best.path)}. If it is nowhere: airank map ${line.field} --none`,
    }),
  );
  const more = doubtful.length - proposed.length;
  return [
    summary,
    ...lost.map(
      (line): Check => ({
        area: 'database',
        level: 'warning',
        text: `${line.field} is mapped to ${line.path}, which no record has`,
        fix: `airank map ${line.field} shows what it might be`,
      }),
    ),
    ...proposed,
    ...(more === 0
      ? []
      : [
          {
            area: 'database',
            level: 'warning',
            text: `${plural(more, 'more field is', 'more fields are')} in doubt`,
            fix: 'airank map asks about each',
          } as const,
        ]),
  ];
}

function shellWord(path: string): string {
  return /^[\w.@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
