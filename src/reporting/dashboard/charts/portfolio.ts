// Portfolio: who needs somebody today, of all clients of an account.
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { counted, cutText, fill, formatDate, formatNumber, verdictWords } from './format.ts';
import { judgedFrom } from './tell.ts';

const clients = { en: ['client', 'clients'], es: ['cliente', 'clientes'] } as const;

/** Values of `need` that somebody has to look at. */
const calling = ['fell', 'open_alert', 'data_not_up_to_date'];
const mostNamed = 3;

const nameOf = (row: Fields) => cutText(row.text('client_name') ?? '', 40);
const needOf = (row: Fields) => row.text('need') ?? '';

/** The account itself stands beside its clients while an alert of it is open. One without clients is its own. */
const isBeside = (row: Fields, all: readonly Fields[]) =>
  all.length > 1 && row.text('client_key')?.endsWith('/') === true;

/** In the order in which they stand, each with its clients; those without any are left out. */
export function groupsOf(
  rows: readonly Fields[],
): readonly { readonly label: Words; readonly rows: readonly Fields[] }[] {
  const of = (...needs: readonly string[]) => rows.filter((row) => needs.includes(needOf(row)));
  return [
    { label: { en: 'Need somebody', es: 'Necesitan a alguien' }, rows: of(...calling) },
    { label: { en: 'Nothing to do', es: 'Nada que hacer' }, rows: of('nothing_to_do') },
    {
      label: { en: 'Cannot be judged yet', es: 'Aún no se pueden juzgar' },
      rows: of('cannot_be_judged_yet'),
    },
  ].filter((group) => group.rows.length > 0);
}

export const standings: Chart = {
  name: 'standings',
  statement: 'standing',
  page: 'portfolio',
  scope: 'account',
  place: 'lead',
  label: { en: 'Who needs somebody', es: 'Quién necesita a alguien' },
  unit: {
    en: '28 days to the newest answer, against the 28 before; changes in points',
    es: '28 días hasta la última respuesta, frente a los 28 anteriores; cambios en puntos',
  },
  note: {
    en: 'Lines are the share by week, from 0 and on one scale; the band is where asking again would bring it in 95 of 100 cases. Only a change beyond the usual range has a colour; a grey one is within it.',
    es: 'Las líneas son la proporción por semana, desde 0 y en una misma escala; la banda indica lo que daría repetir las preguntas en 95 de cada 100 casos. Solo tiene color un cambio fuera de lo habitual; uno gris está dentro.',
  },
  keep: (row, all) => !isBeside(row, all),
  headline: (rows, telling) => needTitle(rows, telling),
  title: (rows, telling) => firstTitle(rows, telling),
  forms: [{ as: 'standings' }],
};

/** `3 of 8 clients need somebody today: A, B, C`. */
function needTitle(rows: readonly Fields[], { language }: Telling): string {
  const all = counted(rows.length, clients, language);
  const wanted = rows.filter((row) => calling.includes(needOf(row)));
  if (wanted.length === 0) {
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
  const words = {
    en: `{count} of {all} ${wanted.length === 1 ? 'needs' : 'need'} somebody today: {names}`,
    es: `{count} de {all} ${wanted.length === 1 ? 'necesita' : 'necesitan'} hoy a alguien: {names}`,
  };
  const names = wanted.slice(0, mostNamed).map(nameOf);
  return fill(words, language, {
    all,
    count: String(wanted.length),
    names: [...names, ...(wanted.length > mostNamed ? ['…'] : [])].join(', '),
  });
}

/** Who comes first, and why: the first row is the one that needs somebody most. */
function firstTitle(rows: readonly Fields[], { language }: Telling): string {
  const [first] = rows;
  if (first === undefined || !calling.includes(needOf(first))) {
    const isJudged = rows.some((row) => needOf(row) === 'nothing_to_do');
    const none = isJudged
      ? {
          en: 'No client fell clearly, and no alert is open',
          es: 'Ningún cliente bajó con claridad y no hay alertas abiertas',
        }
      : { en: 'No client can be judged yet', es: 'Aún no se puede juzgar a ningún cliente' };
    return none[language];
  }
  const [named, rank] = ['mention_direction', 'rank_direction'].map((name) => first.text(name) === 'fell');
  const points = (name: string, factor: number) =>
    formatNumber(Math.abs(first.number(name) ?? 0) * factor, language);
  const [alert = ''] = (first.text(`alerts_${language}`) ?? '').split('\n');
  const words: Words =
    named && rank
      ? {
          en: '{name} first: named in {share} points fewer answers, and {rank} points lower in AI Rank',
          es: 'Primero, {name}: nombrada en {share} puntos menos de respuestas y {rank} puntos menos de AI Rank',
        }
      : named
        ? {
            en: '{name} first: named in {share} points fewer answers',
            es: 'Primero, {name}: nombrada en {share} puntos menos de respuestas',
          }
        : rank
          ? {
              en: '{name} first: {rank} points lower in AI Rank',
              es: 'Primero, {name}: {rank} puntos menos de AI Rank',
            }
          : alert !== ''
            ? { en: '{name} first: {alert}', es: 'Primero, {name}: {alert}' }
            : {
                en: '{name} first: its data is not up to date',
                es: 'Primero, {name}: sus datos no están al día',
              };
  return fill(words, language, {
    name: nameOf(first),
    share: points('mention_change', 100),
    rank: points('change_28d', 1),
    alert: cutText(alert, 90),
  });
}

/** What a row says beside its figures: the newest open alert, what is late, or why there is no verdict. */
export function whyOf(
  row: Fields,
  { language, period }: Pick<Telling, 'language' | 'period'>,
): readonly [said: string, small: string] {
  const need = needOf(row);
  const [alert = ''] = (row.text(`alerts_${language}`) ?? '').split('\n');
  if (alert !== '') {
    const more = (row.number('alert_count') ?? 1) - 1;
    const [since = ''] = (row.text('alert_dates') ?? '').split(' ');
    const words = {
      en: `open since {since}${more > 0 ? '; {more} more' : ''}`,
      es: `abierta desde el {since}${more > 0 ? '; {more} más' : ''}`,
    };
    return [alert, fill(words, language, { since: formatDate(since, language), more: String(more) })];
  }
  if (need === 'data_not_up_to_date') {
    const words = {
      en: '{late} of {all} routes not up to date',
      es: '{late} de {all} rutas no están al día',
    };
    const values = { late: row.text('late_count') ?? '', all: row.text('route_count') ?? '' };
    return [fill(words, language, values), ''];
  }
  if (need !== 'cannot_be_judged_yet') return ['', ''];
  const reason = row.text('mention_direction') ?? row.text('rank_direction') ?? '';
  return [verdictWords[reason]?.[language] ?? '', judgedFrom(row, { language, period })];
}

export const ranks: Chart = {
  name: 'portfolio-ranks',
  page: 'portfolio',
  scope: 'account',
  place: 'c8',
  dateColumn: 'date',
  label: { en: 'AI Rank of all clients', es: 'AI Rank de todos los clientes' },
  unit: {
    en: 'AI Rank, 0 to 100. Coloured where the change in 28 days is clear; gaps have no comparable point',
    es: 'AI Rank, de 0 a 100. En color donde el cambio en 28 días es claro; los huecos no tienen punto comparable',
  },
  title: (_, { language, beside }) => movedTitle(beside?.('standings') ?? [], language),
  forms: [{ as: 'portfolio' }],
};

/** Which AI Ranks moved beyond their usual range, the largest change first. @param rows of the standings */
function movedTitle(rows: readonly Fields[], language: Telling['language']): string {
  const moved = rows
    .filter((row) => ['rose', 'fell'].includes(row.text('rank_direction') ?? ''))
    .sort(
      (one, other) => Math.abs(other.number('change_28d') ?? 0) - Math.abs(one.number('change_28d') ?? 0),
    );
  const judged = moved.length + rows.filter((row) => row.text('rank_direction') === 'usual').length;
  if (judged === 0) {
    return {
      en: 'No change of an AI Rank can be judged yet',
      es: 'Aún no se puede juzgar ningún cambio del AI Rank',
    }[language];
  }
  const said = moved.slice(0, mostNamed).map((row) => {
    const words =
      row.text('rank_direction') === 'fell'
        ? { en: '{name} fell {points} points', es: '{name} bajó {points} puntos' }
        : { en: '{name} rose {points} points', es: '{name} subió {points} puntos' };
    const points = formatNumber(Math.abs(row.number('change_28d') ?? 0), language);
    return fill(words, language, { name: nameOf(row), points });
  });
  const words: Words =
    moved.length === 0
      ? {
          en: 'No AI Rank moved beyond its usual range, of {judged} that can be judged',
          es: 'Ningún AI Rank salió de lo habitual, de {judged} que se pueden juzgar',
        }
      : {
          en: '{count} of {judged} AI Ranks moved beyond their usual range: {said}',
          es: '{count} de {judged} AI Ranks salieron de lo habitual: {said}',
        };
  return fill(words, language, {
    count: String(moved.length),
    judged: String(judged),
    said: [...said, ...(moved.length > mostNamed ? ['…'] : [])].join(', '),
  });
}

export const accountAlerts: Chart = {
  name: 'account-alerts',
  rowsOf: 'standings',
  page: 'portfolio',
  scope: 'account',
  place: 'c4',
  label: { en: 'Alerts of the account itself', es: 'Alertas de la propia cuenta' },
  unit: {
    en: 'Alerts of the account itself, and its own brand',
    es: 'Alertas de la propia cuenta y su marca',
  },
  keep: isBeside,
  title: ([row], { language }) => {
    const [alert = '', ...more] = (row?.text(`alerts_${language}`) ?? '').split('\n');
    if (more.length === 0) return cutText(alert, 120);
    const words = {
      en: '{count} alerts of the account itself are open',
      es: 'Hay {count} alertas abiertas de la propia cuenta',
    };
    return fill(words, language, { count: String(more.length + 1) });
  },
  forms: [{ as: 'alerts' }],
};
