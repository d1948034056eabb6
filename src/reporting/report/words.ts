// Words of a report beside those of its charts. Nothing says why.
import type { Language, Words } from '../dashboard/charts/chart.ts';
import { fill } from '../dashboard/charts/format.ts';

const words = {
  title: { en: 'Visibility in AI answers', es: 'Visibilidad en las respuestas de la IA' },
  week: { en: '{from} to {to}', es: 'del {from} al {to}' },
  soFar: { en: '{month}, so far, until {to}', es: '{month}, hasta ahora, {to}' },
  madeOn: { en: 'Made on {date}.', es: 'Hecho el {date}.' },
  notUpToDate: {
    en: 'Some of what this report reads was not up to date when it was made',
    es: 'Parte de lo que lee este informe no estaba al día cuando se hizo',
  },
  oldest: {
    en: '; the oldest of it is complete until {until}',
    es: '; lo más antiguo está completo hasta el {until}',
  },
  done: { en: 'What was done', es: 'Qué se ha hecho' },
  next: { en: 'What comes next', es: 'Qué viene ahora' },
  noStatus: { en: 'No action has a known status', es: 'Ninguna acción tiene un estado conocido' },
  noneFinished: { en: 'No action finished', es: 'Ninguna acción terminada' },
  noneOpen: { en: 'none open', es: 'ninguna abierta' },
  unknownStatus: {
    en: '; the status of {unknown} is not known',
    es: '; de {unknown} no se conoce el estado',
  },
  more: { en: 'and {count} more', es: 'y {count} más' },
  actionsReadOn: {
    en: 'Priority, expectation and result of actions are those of {date}.',
    es: 'La prioridad, lo esperado y el resultado de las acciones son los del {date}.',
  },
  howTo: { en: 'How to read this', es: 'Cómo leerlo' },
  howToRank: {
    en: 'The AI Rank goes from 0 to 100 and says how visible the brand is in the answers of AI engines.',
    es: 'El AI Rank va de 0 a 100 y dice cuánto se ve la marca en las respuestas de los motores de IA.',
  },
  howToChance: {
    en: 'Ask an engine twice and the answer differs, so every figure moves by itself. Rose and fell are said only where a change is beyond what chance does; within its usual range is the rest.',
    es: 'Si se pregunta dos veces a un motor, la respuesta cambia, así que toda cifra se mueve sola. Solo se dice que sube o baja lo que cambia más de lo que hace el azar; lo demás está dentro de lo habitual.',
  },
  action: { en: 'Action', es: 'Acción' },
  experiment: { en: 'Experiment', es: 'Experimento' },
  status: { en: 'Status', es: 'Estado' },
  since: { en: 'Since', es: 'Desde' },
  priority: { en: 'Priority', es: 'Prioridad' },
  observed: { en: 'Observed', es: 'Observado' },
  expected: { en: 'Expected', es: 'Esperado' },
  range: { en: '{from} to {to}', es: '{from} a {to}' },
  before: { en: 'Before', es: 'Antes' },
  now: { en: 'After', es: 'Después' },
  reading: { en: 'Read as', es: 'Lectura' },
  until: { en: 'Postponed until', es: 'Pospuesta hasta' },
  mailGreeting: {
    en: 'Visibility of {client} in AI answers, {period}:',
    es: 'Visibilidad de {client} en las respuestas de la IA, {period}:',
  },
  mailAttached: {
    en: 'The whole report is attached; it opens in any browser and prints on A4.',
    es: 'El informe entero va adjunto; se abre en cualquier navegador y se imprime en A4.',
  },
} as const satisfies Record<string, Words>;

export type ReportWord = keyof typeof words;

/** @param values in the places that the words have for them */
export function reportWord(
  name: ReportWord,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return fill(words[name], language, values);
}
