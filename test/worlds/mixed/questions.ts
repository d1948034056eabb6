// The questions of the panel, which many routes speak of.
import { type Customer, customers } from './customers.ts';
import { padded, pick } from './kit.ts';

export const engines = ['ChatGPT', 'Gemini', 'Perplexity', 'Copilot', 'Claude'] as const;

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly group: string;
  readonly intent: string;
  readonly customer: Customer;
}

const patterns: readonly ((good: string, customer: Customer) => readonly [string, string, string])[] = [
  (good, { city }) => [`¿Dónde conviene comprar ${good} en ${city}?`, 'Dónde comprar', 'compra'],
  (good, { country }) => [
    `¿Cuál es la mejor opción de ${good} en ${country}?`,
    'Comparativas',
    'comparación',
  ],
  (good, { country }) => [`¿Cuánto cuesta ${good} en ${country}?`, 'Precios', 'información'],
];

export const questions: readonly Question[] = customers
  .flatMap((customer) => customer.goods.map((good) => ({ customer, good })))
  .flatMap(({ customer, good }) =>
    patterns.map((pattern) => {
      const [text, group, intent] = pattern(good, customer);
      return { text, group, intent, customer };
    }),
  )
  .map((question, index) => ({ id: `PQ-${padded(index + 1, 4)}`, ...question }));

export const questionsOf = (customer: Customer): readonly Question[] => {
  const own = questions.filter((question) => question.customer === customer);
  return own.length === 0 ? questions.slice(0, 5) : own;
};

export const questionOf = (customer: Customer, ...seed: readonly (string | number)[]): Question =>
  pick(questionsOf(customer), customer.code, 'pregunta', ...seed);
