// Every word of a report, in both languages. Sentences say what was measured and when, never why.
import type { Language } from '../dashboard/charts/chart.ts';

export interface ReportWords {
  readonly title: string;
  readonly month: (date: Date) => string;
  readonly week: (from: string, to: string) => string;
  readonly soFar: (to: string) => string;
  readonly madeOn: (date: string) => string;
  readonly withheldAnyway: (streams: string) => string;
  readonly streamUntil: (stream: string, until: string | undefined) => string;
  readonly whatChanged: string;
  readonly rankHeading: string;
  readonly noRank: string;
  readonly gains: string;
  readonly losses: string;
  /** Of so many figures that were measured on both dates. */
  readonly noGains: (count: number) => string;
  readonly noLosses: (count: number) => string;
  readonly nothingCompared: string;
  readonly done: string;
  readonly nothingDone: string;
  readonly noStatus: string;
  readonly experiments: string;
  readonly notes: string;
  readonly next: string;
  readonly nothingNext: string;
  readonly more: (count: number) => string;
  readonly actionsReadOn: (date: string) => string;
  readonly howTo: string;
  readonly howToRead: readonly string[];
  readonly columns: {
    readonly figure: string;
    readonly before: string;
    readonly now: string;
    readonly change: string;
    readonly action: string;
    readonly status: string;
    readonly since: string;
    readonly priority: string;
    readonly rankBefore: string;
    readonly rankAfter: string;
    readonly observed: string;
    readonly experiment: string;
    readonly reading: string;
    readonly until: string;
  };
  readonly position: string;
  readonly method: (method: string) => string;
  readonly kinds: Readonly<Record<'dimension' | 'question' | 'competitor', (name: string) => string>>;
  /** Heads the changes of shares and scores. */
  readonly points: string;
  readonly expected: (from: string, to: string) => string;
  readonly mailGreeting: (client: string, period: string) => string;
  readonly mailAttached: string;
  /** What the API words in one of the languages; other words stay as they are. */
  readonly known: Readonly<Record<string, string>>;
}

const en: ReportWords = {
  title: 'Visibility in AI answers',
  month: (date) =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date),
  week: (from, to) => `${from} to ${to}`,
  soFar: (to) => `so far, until ${to}`,
  madeOn: (date) => `Made on ${date}.`,
  withheldAnyway: (streams) =>
    `Some of what this report reads was not up to date when it was made: ${streams}.`,
  streamUntil: (stream, until) =>
    `${stream} (${until === undefined ? 'never complete' : `complete until ${until}`})`,
  whatChanged: 'What changed',
  rankHeading: 'AI Rank',
  noRank: 'There is no comparable point of the AI Rank in this period.',
  gains: 'Most gained',
  losses: 'Most lost',
  noGains: (count) => `Of ${count} compared, none gained half a point or more.`,
  noLosses: (count) => `Of ${count} compared, none lost half a point or more.`,
  nothingCompared: 'Nothing was measured on both dates.',
  done: 'What was done',
  nothingDone: 'No action was finished in this period.',
  noStatus: 'No action has a known status.',
  experiments: 'Experiments that were read',
  notes: 'Notes',
  next: 'What comes next',
  nothingNext: 'No action is open.',
  more: (count) => `and ${count} more`,
  actionsReadOn: (date) => `Priority, expectation and result of actions are those of ${date}.`,
  howTo: 'How to read this',
  howToRead: [
    'The AI Rank goes from 0 to 100 and says how visible the brand is in the answers of AI engines. Only comparable points count, and figures of two methods (v1, v2) are never compared.',
    'Questions show the share of answers that name the brand; competitors how often 100 answers name them. A competitor that is named more often counts as a loss.',
    'Gains and losses are what moved most, by half a point or more, at most two of a kind while others moved too.',
    '“Before” and “after” say what was measured on both dates. What comes after an action is not thereby because of it.',
    'What is empty was not measured. Engines answer differently from day to day, so small moves mean little.',
  ],
  columns: {
    figure: 'Figure',
    before: 'Before',
    now: 'Now',
    change: 'Change',
    action: 'Action',
    status: 'Status',
    since: 'Since',
    priority: 'Priority',
    rankBefore: 'AI Rank before',
    rankAfter: 'AI Rank at the end',
    observed: 'Observed',
    experiment: 'Experiment',
    reading: 'Read as',
    until: 'Postponed until',
  },
  position: 'Position among the measured brands',
  method: (method) => `AI Rank (${method})`,
  kinds: {
    dimension: (name) => `Dimension ${name}`,
    question: (name) => `Named for “${name}”`,
    competitor: (name) => `Competitor ${name}, named in 100 answers`,
  },
  points: 'Points',
  expected: (from, to) => `expected ${from} to ${to}`,
  mailGreeting: (client, period) => `Visibility of ${client} in AI answers, ${period}:`,
  mailAttached: 'The whole report is attached; it opens in any browser and prints on A4.',
  known: {
    autoridad: 'authority',
    cobertura: 'coverage',
    posicion: 'position',
    presencia: 'presence',
    sentimiento: 'sentiment',
    hecha: 'done',
    'en curso': 'in progress',
    aprobada: 'approved',
    pospuesta: 'postponed',
    propuesta: 'proposed',
    descartada: 'discarded',
    puntuacion: 'score',
    'sin cambio': 'no change',
    'sin cambio observado': 'no change observed',
    mejora: 'better',
    empeora: 'worse',
    'mejora observada': 'improvement observed',
    'empeoramiento observado': 'decline observed',
  },
};

const es: ReportWords = {
  title: 'Visibilidad en las respuestas de la IA',
  month: (date) =>
    new Intl.DateTimeFormat('es-ES', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date),
  week: (from, to) => `del ${from} al ${to}`,
  soFar: (to) => `hasta ahora, ${to}`,
  madeOn: (date) => `Hecho el ${date}.`,
  withheldAnyway: (streams) =>
    `Parte de lo que lee este informe no estaba al día cuando se hizo: ${streams}.`,
  streamUntil: (stream, until) =>
    `${stream} (${until === undefined ? 'nunca completo' : `completo hasta el ${until}`})`,
  whatChanged: 'Qué ha cambiado',
  rankHeading: 'AI Rank',
  noRank: 'No hay ningún punto comparable del AI Rank en este periodo.',
  gains: 'Lo que más sube',
  losses: 'Lo que más baja',
  noGains: (count) => `De ${count} comparaciones, ninguna gana medio punto o más.`,
  noLosses: (count) => `De ${count} comparaciones, ninguna pierde medio punto o más.`,
  nothingCompared: 'Nada se ha medido en ambas fechas.',
  done: 'Qué se ha hecho',
  nothingDone: 'No se ha terminado ninguna acción en este periodo.',
  noStatus: 'Ninguna acción tiene un estado conocido.',
  experiments: 'Experimentos leídos',
  notes: 'Notas',
  next: 'Qué viene ahora',
  nothingNext: 'No hay ninguna acción abierta.',
  more: (count) => `y ${count} más`,
  actionsReadOn: (date) => `La prioridad, lo esperado y el resultado de las acciones son los del ${date}.`,
  howTo: 'Cómo leerlo',
  howToRead: [
    'El AI Rank va de 0 a 100 y dice cuánto se ve la marca en las respuestas de los motores de IA. Solo cuentan los puntos comparables, y nunca se comparan cifras de dos métodos (v1, v2).',
    'De las preguntas se ve la parte de las respuestas que nombra a la marca; de los competidores, cuántas veces los nombran 100 respuestas. Un competidor que aparece más cuenta como bajada.',
    'Las subidas y bajadas son lo que más se ha movido, desde medio punto, con dos de cada clase como mucho mientras otras también se muevan.',
    '«Antes» y «después» dicen lo que se midió en ambas fechas. Lo que viene después de una acción no se debe por eso a ella.',
    'Lo que está vacío no se ha medido. Los motores responden distinto de un día a otro: los movimientos pequeños dicen poco.',
  ],
  columns: {
    figure: 'Cifra',
    before: 'Antes',
    now: 'Ahora',
    change: 'Cambio',
    action: 'Acción',
    status: 'Estado',
    since: 'Desde',
    priority: 'Prioridad',
    rankBefore: 'AI Rank antes',
    rankAfter: 'AI Rank al final',
    observed: 'Observado',
    experiment: 'Experimento',
    reading: 'Lectura',
    until: 'Pospuesta hasta',
  },
  position: 'Posición entre las marcas medidas',
  method: (method) => `AI Rank (${method})`,
  kinds: {
    dimension: (name) => `Dimensión ${name}`,
    question: (name) => `Nombrada en «${name}»`,
    competitor: (name) => `Competidor ${name}, nombrado en 100 respuestas`,
  },
  points: 'Puntos',
  expected: (from, to) => `esperado de ${from} a ${to}`,
  mailGreeting: (client, period) => `Visibilidad de ${client} en las respuestas de la IA, ${period}:`,
  mailAttached: 'El informe entero va adjunto; se abre en cualquier navegador y se imprime en A4.',
  known: {
    posicion: 'posición',
    puntuacion: 'puntuación',
    done: 'hecha',
    'in progress': 'en curso',
    approved: 'aprobada',
    postponed: 'pospuesta',
    proposed: 'propuesta',
    discarded: 'descartada',
    authority: 'autoridad',
    coverage: 'cobertura',
    position: 'posición',
    presence: 'presencia',
    sentiment: 'sentimiento',
  },
};

export const reportWords: Readonly<Record<Language, ReportWords>> = { en, es };

/** A word of the API for people: `en_curso` as `en curso`, or what it is in the other language. */
export function wordOf(text: string, language: Language): string {
  const spoken = text.replaceAll('_', ' ');
  const { known } = reportWords[language];
  const key = spoken.toLowerCase();
  return Object.hasOwn(known, key) ? (known[key] ?? spoken) : spoken;
}
