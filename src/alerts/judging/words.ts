// What alerts say, in the languages that people read. Words of the API stand in them as it gives them.
export type Language = 'en' | 'es';

/** At most `digits` decimals, as the language writes numbers. */
export function figure(value: number, language: Language, digits = 1): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const words = {
  en: {
    rank_fell: (from: string, to: string, days: number, method: string) =>
      `AI Rank fell from ${from} to ${to} in ${days} days (method ${method})`,
    rank_rose: (from: string, to: string, days: number, method: string) =>
      `AI Rank rose from ${from} to ${to} in ${days} days (method ${method})`,
    position_lost: (from: string, to: string) => `Passed by other brands: position ${from} became ${to}`,
    position_won: (from: string, to: string) => `Passed other brands: position ${from} became ${to}`,
    passed_by: (name: string) => `${name} passed the brand`,
    passed: (name: string) => `The brand passed ${name}`,
    page_lost: (count: number) =>
      some(count, 'An own page is no longer cited', `${count} own pages are no longer cited`),
    claim_false: (brand: string | undefined, claim: string) =>
      `A claim ${brand === undefined ? '' : `about ${brand} `}is judged false: ${claim}`,
    crawler_refused: (bot: string) => `The site refuses ${bot}`,
    revenue_fell: (from: string, to: string, currency: string) =>
      `Revenue attributed to engines fell from ${from} to ${to} ${currency} in a month`,
    outcome_in: (title: string) => `The result of an action is in: ${title}`,
    action: 'an action without a title',
  },
  es: {
    rank_fell: (from: string, to: string, days: number, method: string) =>
      `El AI Rank bajó de ${from} a ${to} en ${days} días (método ${method})`,
    rank_rose: (from: string, to: string, days: number, method: string) =>
      `El AI Rank subió de ${from} a ${to} en ${days} días (método ${method})`,
    position_lost: (from: string, to: string) => `Otras marcas adelantan: de la posición ${from} a la ${to}`,
    position_won: (from: string, to: string) => `Adelanta a otras marcas: de la posición ${from} a la ${to}`,
    passed_by: (name: string) => `${name} adelanta a la marca`,
    passed: (name: string) => `La marca adelanta a ${name}`,
    page_lost: (count: number) =>
      some(count, 'Una página propia ya no se cita', `${count} páginas propias ya no se citan`),
    claim_false: (brand: string | undefined, claim: string) =>
      `Una afirmación ${brand === undefined ? '' : `sobre ${brand} `}se juzga falsa: ${claim}`,
    crawler_refused: (bot: string) => `El sitio rechaza a ${bot}`,
    revenue_fell: (from: string, to: string, currency: string) =>
      `Los ingresos atribuidos a motores bajaron de ${from} a ${to} ${currency} en un mes`,
    outcome_in: (title: string) => `Ya hay resultado de una acción: ${title}`,
    action: 'una acción sin título',
  },
} as const satisfies Record<Language, object>;
