// How far the data is, in one line above the charts.
import { formatDate } from '../charts/format.ts';
import type { PageFreshness } from '../page/page-data.ts';
import { missedText } from '../page/page-words.ts';
import { element } from './element.ts';
import type { View } from './view.ts';

export function freshnessStrip(
  freshness: PageFreshness,
  { language, overview, scope, say }: View,
): HTMLElement {
  const { newest, upToDate, stale, failed, neverSynced, missed } = freshness;
  const count = (number: number, name: Parameters<typeof say>[0], kind: string) =>
    number === 0 ? [] : [element('li', { class: kind, 'data-count': kind }, `${number} ${say(name)}`)];
  const readAt = new Date(overview.readAt).toLocaleString(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return element(
    'ul',
    { class: 'freshness', 'data-part': 'freshness' },
    element(
      'li',
      {},
      `${say('newestData')}: ${newest === null ? say('noneYet') : formatDate(newest, language)}`,
    ),
    ...(scope.clientId === ''
      ? []
      : [element('li', { class: 'muted' }, say(scope.leftOn === null ? 'ofClient' : 'ofClientThatLeft'))]),
    ...count(upToDate, 'upToDate', 'good'),
    ...count(stale, 'stale', 'stale'),
    ...count(failed, 'failedSlices', 'bad'),
    ...count(neverSynced, 'neverSynced', 'stale'),
    ...(missed === null ? [] : [element('li', { 'data-part': 'missed' }, missedText(missed, language))]),
    element('li', { class: 'muted' }, `${say('readAt')} ${readAt}`),
  );
}
