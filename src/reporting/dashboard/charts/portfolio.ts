// Portfolio: who needs somebody today, of all clients of an account.
import { inLanguage } from '../../../core/api-words.ts';
import type { Chart, Fields, Telling } from './chart.ts';
import { counted, cutText, fill, verdictWords } from './format.ts';

const clients = { en: ['client', 'clients'], es: ['cliente', 'clientes'] } as const;

/** In the order in which they are said. */
const needs = ['fell', 'open_alert', 'data_not_up_to_date', 'cannot_be_judged_yet'];
const mostNamed = 3;

export const standings: Chart = {
  name: 'standings',
  statement: 'standing',
  page: 'portfolio',
  scope: 'account',
  label: { en: 'Who needs me today', es: 'Quién me necesita hoy' },
  unit: {
    en: 'Share of answers that name the brand; AI Rank, 0 to 100',
    es: 'Proporción de respuestas que nombran a la marca; AI Rank, de 0 a 100',
  },
  note: {
    en: 'Rose, fell: more than asking the same questions again would give, over 28 days against the 28 before. Within its usual range: no such change. pp: percentage points.',
    es: 'Subió, bajó: más de lo que daría repetir las mismas preguntas, en 28 días frente a los 28 anteriores. Dentro de lo habitual: no hay tal cambio. p. p.: puntos porcentuales.',
  },
  title: titleOf,
  forms: [
    {
      as: 'tiles',
      of: 'client_name',
      below: 30,
      figures: [
        { value: 'mention_rate', verdict: 'mention_direction', change: 'mention_change' },
        { value: 'score', verdict: 'rank_direction', change: 'change_28d' },
        { value: 'alert_count', text: 'alerts_en' },
      ],
    },
    {
      as: 'table',
      columns: [
        'client_name',
        'need',
        'mention_rate',
        'mention_direction',
        'mention_change',
        'mention_line',
        'score',
        'rank_direction',
        'change_28d',
        'alert_count',
        'alerts_en',
        'alerts_es',
        'data_date',
        'late_count',
      ],
    },
  ],
};

function titleOf(all: readonly Fields[], telling: Telling): string {
  // The account itself stands beside its clients while an alert of it is open.
  const account =
    all.length > 1 ? all.find((row) => row.text('client_key')?.endsWith('/') === true) : undefined;
  const said = clientsTitle(
    all.filter((row) => row !== account),
    telling,
  );
  const alerts = account?.text(`alerts_${telling.language}`)?.replaceAll('\n', '; ');
  if (alerts === undefined) return said;
  const words = { en: '{said}. Of the whole account: {alerts}', es: '{said}. De toda la cuenta: {alerts}' };
  return fill(words, telling.language, { said, alerts: cutText(alerts, 200) });
}

function clientsTitle(rows: readonly Fields[], { language }: Telling): string {
  const needOf = (row: Fields) => row.text('need') ?? '';
  const all = counted(rows.length, clients, language);
  const said = needs.flatMap((need) => {
    const count = rows.filter((row) => needOf(row) === need).length;
    return count === 0 ? [] : [`${inLanguage(need, language)} ${count}`];
  });
  const calling = rows.filter((row) => ['fell', 'open_alert', 'data_not_up_to_date'].includes(needOf(row)));
  const values = { all, said: said.join(', ') };
  if (calling.length === 0) {
    const open = rows.filter((row) => needOf(row) === 'cannot_be_judged_yet');
    const why = open.map((row) => row.text('rank_direction') ?? row.text('mention_direction'));
    const reason = verdictWords[why.find((one) => one !== null) ?? '']?.[language];
    const none =
      open.length === 0
        ? { en: 'Nobody needs you today, of {all}', es: 'Hoy nadie le necesita, de {all}' }
        : open.length === rows.length
          ? {
              en: 'Who needs you cannot be told yet, of {all}{why}',
              es: 'Aún no se puede decir quién le necesita, de {all}{why}',
            }
          : {
              en: 'Nobody needs you today, of {judged} that can be judged; {open} cannot{why}',
              es: 'Hoy nadie le necesita, de {judged} que se pueden juzgar; {open} no{why}',
            };
    return fill(none, language, {
      all,
      judged: counted(rows.length - open.length, clients, language),
      open: String(open.length),
      why: reason === undefined ? '' : `: ${reason}`,
    });
  }
  const names = calling
    .slice(0, mostNamed)
    .map((row) => cutText(row.text('client_name') ?? '', 40))
    .join(', ');
  const words = {
    en:
      calling.length === 1
        ? '1 of {all} needs you today ({said}): {names}{more}'
        : '{count} of {all} need you today ({said}): {names}{more}',
    es:
      calling.length === 1
        ? '1 de {all} le necesita hoy ({said}): {names}{more}'
        : '{count} de {all} le necesitan hoy ({said}): {names}{more}',
  };
  return fill(words, language, {
    ...values,
    count: String(calling.length),
    names,
    more: calling.length > mostNamed ? ', …' : '',
  });
}

export const routes: Chart = {
  name: 'portfolio-freshness',
  page: 'portfolio',
  scope: 'account',
  label: { en: 'How far the data is', es: 'Hasta dónde llegan los datos' },
  unit: { en: 'Clients, by route', es: 'Clientes, por ruta' },
  title: (rows, { language }) => {
    const late = rows.filter((row) =>
      ['stale', 'failed', 'never_synced'].some((name) => (row.number(name) ?? 0) > 0),
    );
    const words =
      late.length === 0
        ? { en: 'All {all} routes are up to date', es: 'Las {all} rutas están al día' }
        : {
            en: '{late} of {all} routes are not up to date for every client: {names}',
            es: '{late} de {all} rutas no están al día para todos los clientes: {names}',
          };
    return fill(words, language, {
      all: String(rows.length),
      late: String(late.length),
      names: late
        .slice(0, 4)
        .map((row) => row.text('stream') ?? '')
        .join(', '),
    });
  },
  forms: [],
};
