// The words of an engine's answer: a few paragraphs of plain Spanish that name the brand or its rivals.
import type { Dice } from '../random.ts';
import type { Brand } from './scope.ts';

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

/** A full answer of some 600 to 1,200 characters; names the brand when it is `mentioned`. */
export function answerText(dice: Dice, brand: Brand, question: string, mentioned: boolean): string {
  const rivals = [
    dice.pick(brand.sector.rivals),
    dice.pick(brand.sector.rivals),
    dice.pick(brand.sector.rivals),
  ];
  const names = mentioned ? [brand.name, ...rivals] : rivals;
  const points = [...new Set(names)].map(
    (name, index) => `${index + 1}. **${name}** ${dice.pick(remarks)}. En concreto, ${dice.pick(remarks)}.`,
  );
  const topic = dice.pick(brand.sector.topics);
  return [
    dice.pick(openings),
    `Has preguntado: «${question}». En ${brand.place.city} la oferta de ${topic} ha crecido en los últimos años.`,
    points.join('\n'),
    `Para ${topic}, conviene fijarse en la experiencia, las garantías y el trato. ${dice.pick(closings)}`,
  ].join('\n\n');
}
