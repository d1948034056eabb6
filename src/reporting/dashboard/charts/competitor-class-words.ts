// What the classes of competitors are called.
import type { Words } from './chart.ts';

export const competitorClassWords: Readonly<Record<string, Words>> = {
  primary: { en: 'primary', es: 'primario' },
  emerging: { en: 'emerging', es: 'emergente' },
  discovered: { en: 'discovered', es: 'descubierto' },
};
