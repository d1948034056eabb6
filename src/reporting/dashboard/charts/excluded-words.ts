// Why a point of the AI Rank is in no trend, in words.
import type { Words } from './chart.ts';

export const excludedWords: Readonly<Record<string, Words>> = {
  not_comparable: { en: 'not comparable', es: 'no comparable' },
  comparability_unknown: { en: 'comparability unknown', es: 'comparabilidad desconocida' },
  one_off: { en: 'one-off measurement', es: 'medición puntual' },
  method_unknown: { en: 'method unknown', es: 'método desconocido' },
  date_unknown: { en: 'date unknown', es: 'fecha desconocida' },
  date_ahead: { en: 'dated in the future', es: 'con fecha futura' },
  score_missing: { en: 'score missing', es: 'sin puntuación' },
};
