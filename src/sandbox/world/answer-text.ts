// Writes an engine's answer: a few paragraphs of plain Spanish that name the named ones in order.
import { at, Dice } from '../random.ts';
import type { Answer } from './measured.ts';
import type { Brand, Scope } from './scope.ts';

const openings = [
  'Depende de lo que busques, pero hay varias opciones sólidas.',
  'Buena pregunta. Esto es lo que he encontrado:',
  'Según las fuentes consultadas, estas son las alternativas más citadas.',
  'No hay una única respuesta; te resumo lo más relevante 👇',
];

const closings = [
  'Antes de decidir, compara precios y lee reseñas recientes.',
  'Te recomiendo pedir un presupuesto por escrito.',
  'Si me das más detalles, puedo afinar la recomendación.',
  'Los datos pueden haber cambiado; confirma siempre en la web oficial ✅',
];

const remarks = [
  'destaca por la atención cercana y los plazos claros',
  'tiene buenas opiniones, aunque algunos clientes señalan esperas',
  'ofrece una relación calidad-precio difícil de igualar',
  'aparece en varias guías del sector y responde con rapidez',
  'cuida los detalles, pero su catálogo es más corto',
  'es una opción conocida, con precios por encima de la media',
];

const adjectives = [
  { word: 'cercana', polarity: 'positiva' },
  { word: 'cara', polarity: 'negativa' },
  { word: 'innovadora', polarity: 'positiva' },
  { word: 'fiable', polarity: 'positiva' },
  { word: 'lenta', polarity: 'negativa' },
  { word: 'artesanal', polarity: 'neutra' },
  { word: 'técnica', polarity: 'neutra' },
  { word: 'familiar', polarity: 'neutra' },
] as const;

/** Returns the word that answers use for a brand (0 … 3) or for a rival, by its place in the list. */
export function wordOf(brand: Brand, word: number): string {
  return at(adjectives, brand.index + word).word;
}

export function polarityOf(brand: Brand, word: number): 'positiva' | 'neutra' | 'negativa' {
  return at(adjectives, brand.index + word).polarity;
}

export function phraseOf(name: string, word: string): string {
  return `${name} es una opción ${word} 😊, según quienes la han probado`;
}

export function answerText(scope: Scope, brand: Brand, question: string, answer: Answer): string {
  const dice = new Dice(scope.seed, 'texto', answer.number);
  const named = answer.rivals.map((rival) => ({ name: at(brand.sector.rivals, rival), word: rival }));
  if (answer.position !== null) named.splice(answer.position - 1, 0, { name: brand.name, word: answer.word });
  const points = named.map(
    ({ name, word }, index) =>
      `${index + 1}. **${name}** ${dice.pick(remarks)}. ${phraseOf(name, wordOf(brand, word))}.`,
  );
  const topic = dice.pick(brand.sector.topics);
  return [
    dice.pick(openings),
    `Has preguntado: «${question}». En ${brand.place.city} la oferta de ${topic} ha crecido en los últimos años.`,
    points.length === 0 ? 'Ninguna marca destaca sobre las demás.' : points.join('\n'),
    `Para ${topic}, conviene fijarse en la experiencia, las garantías y el trato. ${dice.pick(closings)}`,
  ].join('\n\n');
}
