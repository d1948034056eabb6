// Every word of a report, in both languages. Sentences say what was measured and when, never why.
import type { Language } from '../dashboard/charts/chart.ts';

export interface ReportWords {
  readonly title: string;
  readonly month: (date: Date) => string;
  readonly week: (from: string, to: string) => string;
  readonly soFar: (to: string) => string;
  readonly madeOn: (date: string) => string;
  /** @param until the oldest date that anything of it is complete until; undefined: none is known */
  readonly withheldAnyway: (until: string | undefined) => string;
  readonly whatChanged: string;
  readonly rankHeading: string;
  readonly noRank: string;
  readonly measured: string;
  readonly noVerdict: string;
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
  /** With the unit; `on` is the date of the figure, of an engine its first and its last. */
  readonly kinds: Readonly<
    Record<'engine' | 'dimension' | 'competitor', (name: string, on: string) => string>
  >;
  readonly interval: (low: string, high: string) => string;
  readonly expected: (from: string, to: string) => string;
  readonly mailGreeting: (client: string, period: string) => string;
  readonly mailAttached: string;
  /** What the API words in one of the languages; other words stay as they are. */
}

const en: ReportWords = {
  title: 'Visibility in AI answers',
  month: (date) =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date),
  week: (from, to) => `${from} to ${to}`,
  soFar: (to) => `so far, until ${to}`,
  madeOn: (date) => `Made on ${date}.`,
  withheldAnyway: (until) =>
    `Some of what this report reads was not up to date when it was made${until === undefined ? '' : `; the oldest of it is complete until ${until}`}.`,
  whatChanged: 'What changed',
  rankHeading: 'AI Rank',
  noRank: 'There is no comparable point of the AI Rank in this period.',
  measured: 'What else was measured',
  noVerdict:
    'By name, in no order of size: of none of these figures is it known whether it moved beyond chance.',
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
    'Ask an engine twice and the answer differs, so every figure moves by itself. Rose and fell are said only where a change is beyond what chance does; within its usual range is the rest. It compares 28 days with the 28 before, on dates of its own.',
    'Points are of the AI Rank, percentage points of a share of answers, and mentions are counted in 100 answers. An interval in brackets is where 95 of 100 repetitions with the same questions would lie.',
    '“Before” is 28 to 41 days older, of answers the four weeks before the four that are told. “Before” and “after” say what was measured on both dates. What comes after an action is not thereby because of it.',
    'Where “before” is empty there is no comparable figure.',
  ],
  columns: {
    figure: 'Figure',
    before: 'Before',
    now: 'Now',
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
    engine: (name, on) => `Answers of ${name} that name the brand, ${on}`,
    dimension: (name) => `Dimension ${name} of the AI Rank, points`,
    competitor: (name) => `Competitor ${name}, mentions in 100 answers`,
  },
  interval: (low, high) => `${low} to ${high}`,
  expected: (from, to) => `expected ${from} to ${to}`,
  mailGreeting: (client, period) => `Visibility of ${client} in AI answers, ${period}:`,
  mailAttached: 'The whole report is attached; it opens in any browser and prints on A4.',
};

const es: ReportWords = {
  title: 'Visibilidad en las respuestas de la IA',
  month: (date) =>
    new Intl.DateTimeFormat('es-ES', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date),
  week: (from, to) => `del ${from} al ${to}`,
  soFar: (to) => `hasta ahora, ${to}`,
  madeOn: (date) => `Hecho el ${date}.`,
  withheldAnyway: (until) =>
    `Parte de lo que lee este informe no estaba al día cuando se hizo${until === undefined ? '' : `; lo más antiguo está completo hasta el ${until}`}.`,
  whatChanged: 'Qué ha cambiado',
  rankHeading: 'AI Rank',
  noRank: 'No hay ningún punto comparable del AI Rank en este periodo.',
  measured: 'Qué más se ha medido',
  noVerdict:
    'Por nombre, sin orden de tamaño: de ninguna de estas cifras se sabe si ha cambiado más de lo que hace el azar.',
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
    'Si se pregunta dos veces a un motor, la respuesta cambia, así que toda cifra se mueve sola. Solo se dice que sube o baja lo que cambia más de lo que hace el azar; lo demás está dentro de lo habitual. Se comparan 28 días con los 28 anteriores, en fechas propias.',
    'Los puntos son del AI Rank, los puntos porcentuales de una parte de las respuestas, y las menciones se cuentan en 100 respuestas. Entre paréntesis, entre qué valores quedarían 95 de 100 repeticiones con las mismas preguntas.',
    '«Antes» es de 28 a 41 días antes; en las respuestas, las cuatro semanas anteriores a las cuatro que se indican. «Antes» y «después» dicen lo que se midió en ambas fechas. Lo que viene después de una acción no se debe por eso a ella.',
    'Donde «antes» está vacío no hay una cifra comparable.',
  ],
  columns: {
    figure: 'Cifra',
    before: 'Antes',
    now: 'Ahora',
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
    engine: (name, on) => `Respuestas de ${name} que nombran a la marca, ${on}`,
    dimension: (name) => `Dimensión ${name} del AI Rank, puntos`,
    competitor: (name) => `Competidor ${name}, menciones en 100 respuestas`,
  },
  interval: (low, high) => `${low} a ${high}`,
  expected: (from, to) => `esperado de ${from} a ${to}`,
  mailGreeting: (client, period) => `Visibilidad de ${client} en las respuestas de la IA, ${period}:`,
  mailAttached: 'El informe entero va adjunto; se abre en cualquier navegador y se imprime en A4.',
};

export const reportWords: Readonly<Record<Language, ReportWords>> = { en, es };
