// A client: where it stands, whether that really changed, and how its rivals and the engines see it.
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { dateOf, dayOf } from './dates.ts';
import {
  counted,
  cutText,
  fill,
  formatDate,
  formatNumber,
  formatRate,
  formatValue,
  verdictWords,
} from './format.ts';
import { judgedFrom, newestOf, sumOf, unknownTail, unknownWord } from './tell.ts';

export const questionNoun = { en: ['question', 'questions'], es: ['pregunta', 'preguntas'] } as const;
export const answerNoun = { en: ['answer', 'answers'], es: ['respuesta', 'respuestas'] } as const;

export const standing: Chart = {
  name: 'standing',
  page: 'client',
  scope: 'client',
  draws: ['rank-trend'],
  label: { en: 'Where it stands', es: 'Situación actual' },
  unit: {
    en: 'Share of answers that name the brand, by week; AI Rank, 0 to 100',
    es: 'Proporción de respuestas que nombran a la marca, por semana; AI Rank, de 0 a 100',
  },
  note: {
    en: 'The figures are over 28 days against the 28 before; the share is the mean over questions and engines. A change counts where the same questions were asked of the same engines in both; what was asked in one of them only is left out. Dashes are the two shares compared. The band is where asking again would bring it in 95 of 100 cases, for the AI Rank as the service states it. Hollow points cannot be compared. Circles are actions, diamonds alerts, squares notes; their numbers are those of the list below.',
    es: 'Las cifras son de 28 días frente a los 28 anteriores; la proporción es la media de preguntas y motores. Un cambio cuenta si las mismas preguntas se hicieron a los mismos motores en ambos; lo que se preguntó solo en uno queda fuera. Las líneas de trazos son las dos proporciones comparadas. La banda indica lo que daría repetir las preguntas en 95 de cada 100 casos; la del AI Rank, la que indica el servicio. Los puntos huecos no son comparables. Los círculos son acciones; los rombos, alertas; los cuadrados, notas; sus números son los de la lista de abajo.',
  },
  headline: ([row], telling) => (row === undefined ? '' : changeTitle(row, telling)),
  title: ([row], telling) =>
    row === undefined ? '' : `${shareTitle(row, telling)}. ${rankTitle(row, telling)}`,
  forms: [{ as: 'standing' }],
};

/** `Bodega Roble fell clearly in its share of answers and in its AI Rank`. */
function changeTitle(row: Fields, { language }: Telling): string {
  const figures = [
    [row.text('mention_direction'), { en: 'in its share of answers', es: 'en su proporción de respuestas' }],
    [row.text('rank_direction'), { en: 'in its AI Rank', es: 'en su AI Rank' }],
  ] as const;
  const and = { en: ' and ', es: ' y ' }[language];
  const moved = (direction: 'fell' | 'rose') =>
    figures.flatMap(([one, words]) => (one === direction ? [words[language]] : [])).join(and);
  const said = [
    [moved('fell'), { en: 'fell clearly {where}', es: 'bajó con claridad {where}' }],
    [moved('rose'), { en: 'rose clearly {where}', es: 'subió con claridad {where}' }],
  ] as const;
  const clear = said.flatMap(([where, words]) => (where === '' ? [] : [fill(words, language, { where })]));
  const words: Words =
    clear.length > 0
      ? { en: '{name} {clear}', es: '{name} {clear}' }
      : figures.some(([one]) => one === 'usual')
        ? { en: '{name}: no clear change in 28 days', es: '{name}: ningún cambio claro en 28 días' }
        : { en: '{name}: no change can be judged yet', es: '{name}: aún no se puede juzgar ningún cambio' };
  return fill(words, language, { name: cutText(row.text('client_name') ?? '', 60), clear: clear.join(and) });
}

/** `Named in fewer answers: 41.4 % of the answers to 16 questions, after 61.8 %`. */
export function shareTitle(row: Fields, telling: Telling): string {
  const { language } = telling;
  const [rate, before] = [row.number('mention_rate'), row.number('before_mention_rate')];
  if (rate === null) {
    const none = { en: 'Named in: {why}', es: 'Nombrada en: {why}' };
    return fill(none, language, { why: unknownWord(telling, 'mention_rate') });
  }
  const verdict = row.text('mention_direction') ?? '';
  const words: Words =
    verdict === 'fell'
      ? {
          en: 'Named in fewer answers: {share}, after {before}',
          es: 'Nombrada en menos respuestas: {share}, tras el {before}',
        }
      : verdict === 'rose'
        ? {
            en: 'Named in more answers: {share}, after {before}',
            es: 'Nombrada en más respuestas: {share}, tras el {before}',
          }
        : { en: 'Named in {share}{verdict}', es: 'Nombrada en el {share}{verdict}' };
  const share = {
    en: '{rate} of the answers to {questions} ({answers})',
    es: '{rate} de las respuestas a {questions} ({answers})',
  };
  const shareAlone = { en: '{rate} of {answers}', es: '{rate} de {answers}' };
  const [added, dropped] = [row.number('questions_added') ?? 0, row.number('questions_dropped') ?? 0];
  const panel = {
    en: '; {added} questions new and {dropped} no longer asked: left out',
    es: '; {added} preguntas nuevas y {dropped} retiradas, sin contar',
  };
  const questions = row.number('question_count');
  const said = fill(words, language, {
    share: fill(questions === null ? shareAlone : share, language, {
      rate: formatRate(rate, language),
      questions: counted(questions ?? 0, questionNoun, language),
      answers: counted(row.number('answer_count') ?? 0, answerNoun, language),
    }),
    before: formatRate(before ?? 0, language),
    verdict: verdict in verdictWords ? `: ${verdictWords[verdict]?.[language]}` : '',
  });
  const from = judgedFrom(row, telling);
  const left = { added: String(added), dropped: String(dropped) };
  const tails = [
    from === '' ? '' : `, ${from}`,
    added === 0 && dropped === 0 ? '' : fill(panel, language, left),
  ];
  return `${said}${tails.join('')}`;
}

/** `The AI Rank fell from 57 on 28 Oct 2026 to 38.9 on 25 Nov 2026`. */
export function rankTitle(row: Fields, telling: Telling): string {
  const { language } = telling;
  const score = row.number('score');
  if (score === null) return `AI Rank: ${unknownWord(telling, 'score')}`;
  const verdict = row.text('rank_direction') ?? '';
  const words: Words =
    verdict === 'fell'
      ? {
          en: 'The AI Rank fell from {before} on {since} to {score} on {date}',
          es: 'El AI Rank bajó de {before} el {since} a {score} el {date}',
        }
      : verdict === 'rose'
        ? {
            en: 'The AI Rank rose from {before} on {since} to {score} on {date}',
            es: 'El AI Rank subió de {before} el {since} a {score} el {date}',
          }
        : { en: 'The AI Rank is {score}{verdict}', es: 'El AI Rank es {score}{verdict}' };
  const date = (name: string) => formatDate(row.text(name) ?? '', language);
  return fill(words, language, {
    score: formatNumber(score, language),
    before: formatNumber(row.number('score_28d') ?? score - (row.number('change_28d') ?? 0), language),
    since: date('date_28d'),
    date: date('date'),
    verdict: verdict in verdictWords ? `: ${verdictWords[verdict]?.[language]}` : '',
  });
}

export const mentionRate: Chart = {
  name: 'mention-rate',
  page: 'client',
  scope: 'both',
  dateColumn: 'week_date',
  label: { en: 'Named by engine, over time', es: 'Nombrada por motor, en el tiempo' },
  unit: {
    en: 'Share of the answers of a week, 0 to 100 %. Grey: all engines together. Engines have no verdict of their own',
    es: 'Proporción de las respuestas de una semana, de 0 a 100 %. En gris, todos los motores. Los motores no tienen veredicto propio',
  },
  note: {
    en: 'The band says what asking the same questions again would give, in 95 of 100 cases. With one answer a question it is too wide.',
    es: 'La banda indica lo que daría repetir las mismas preguntas, en 95 de cada 100 casos. Con una respuesta por pregunta es demasiado ancha.',
  },
  title: (rows, telling) => enginesTitle(rows, telling),
  forms: [
    {
      as: 'multiples',
      date: 'week_date',
      series: 'engine',
      value: 'mention_rate',
      low: 'low_rate',
      high: 'high_rate',
      part: 'mentioned_count',
      whole: 'known_count',
    },
  ],
};

const weeksCompared = 4;

/** Shares of the newest four weeks and of the four before, of each engine; null: no answer of them was judged. */
export function engineShares(rows: readonly Fields[]): readonly {
  readonly engine: string | null;
  readonly now: number | null;
  readonly before: number | null;
}[] {
  const newest = newestOf(
    rows.filter((row) => (row.number('known_count') ?? 0) > 0),
    'week_date',
  );
  const since = (weeks: number) => (newest === undefined ? '' : dateOf(dayOf(newest) + 7 - 7 * weeks));
  const shareOf = (own: readonly Fields[]) => {
    const known = sumOf(own, 'known_count');
    return known === 0 ? null : sumOf(own, 'mentioned_count') / known;
  };
  return [...new Set(rows.map((row) => row.text('engine')))].map((engine) => {
    const own = rows.filter((row) => row.text('engine') === engine);
    const from = (row: Fields) => row.text('week_date') ?? '';
    return {
      engine,
      now: shareOf(own.filter((row) => from(row) >= since(weeksCompared))),
      before: shareOf(
        own.filter((row) => from(row) >= since(2 * weeksCompared) && from(row) < since(weeksCompared)),
      ),
    };
  });
}

function enginesTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const all = engineShares(rows).flatMap(({ now, ...one }) => (now === null ? [] : [{ ...one, now }]));
  const [first, ...others] = all;
  if (first === undefined) {
    const none = {
      en: '{all} judged; whether they name the brand: {why}',
      es: '{all} valoradas; si nombran a la marca: {why}',
    };
    return fill(none, language, {
      all: counted(sumOf(rows, 'known_count'), answerNoun, language),
      why: unknownWord(telling, 'mentioned_count', 'is_mentioned'),
    });
  }
  const least = others.reduce((one, other) => (other.now < one.now ? other : one), first);
  const most = others.reduce((one, other) => (other.now > one.now ? other : one), first);
  const nameOf = ({ engine }: { readonly engine: string | null }) =>
    engine === null ? unknownWord(telling, 'engine') : formatValue(engine, 'word', language);
  const compared = all.flatMap(({ before, now }) => (before === null ? [] : [now - before]));
  const fewer = compared.filter((change) => change < 0).length;
  const more = compared.filter((change) => change > 0).length;
  const noun = {
    en: ['engine names', 'engines name'],
    es: ['motor la nombra', 'motores la nombran'],
  } as const;
  const on = (many: number) =>
    `${many} ${{ en: 'of', es: 'de' }[language]} ${compared.length} ${noun[language][compared.length === 1 ? 0 : 1]}`;
  const words: Words =
    compared.length === 0
      ? {
          en: '{most} names it in {high} of its answers',
          es: '{most} la nombra en el {high} de sus respuestas',
        }
      : fewer > 0 && more > 0
        ? {
            en: `${on(fewer)} it in fewer answers than in the four weeks before, {more} in more`,
            es: `${on(fewer)} en menos respuestas que en las cuatro semanas anteriores, {more} en más`,
          }
        : fewer > 0
          ? {
              en: `${on(fewer)} it in fewer answers than in the four weeks before`,
              es: `${on(fewer)} en menos respuestas que en las cuatro semanas anteriores`,
            }
          : more > 0
            ? {
                en: `${on(more)} it in more answers than in the four weeks before`,
                es: `${on(more)} en más respuestas que en las cuatro semanas anteriores`,
              }
            : {
                en: 'Every engine names it in as many answers as in the four weeks before',
                es: 'Cada motor la nombra en tantas respuestas como en las cuatro semanas anteriores',
              };
  const tail: Words = { en: '; {least} in the fewest, {low}', es: '; {least} en las que menos, {low}' };
  const values = {
    more: String(more),
    most: nameOf(most),
    high: formatRate(most.now, language),
    least: nameOf(least),
    low: formatRate(least.now, language),
  };
  const unjudged = sumOf(rows, 'answer_count') - sumOf(rows, 'known_count');
  return `${fill(words, language, values)}${least === most ? '' : fill(tail, language, values)}${unknownTail(unjudged, telling, 'mentioned_count')}`;
}

export const voice: Chart = {
  name: 'voice',
  page: 'client',
  scope: 'both',
  place: 'c6',
  dateColumn: 'run_date',
  label: { en: 'Beside its nearest rivals', es: 'Junto a sus rivales más cercanos' },
  unit: { en: 'Share of answers that name it', es: 'Proporción de respuestas que la nombran' },
  note: {
    en: 'The brand and the five rivals whose share is nearest to it. Whose intervals overlap cannot be put in order by them.',
    es: 'La marca y los cinco rivales cuya proporción es más cercana. Si los intervalos se solapan, no permiten ordenarlas.',
  },
  title: (rows, telling) => rivalsTitle(rows, telling),
  forms: [
    {
      as: 'bars',
      name: 'competitor_name',
      value: 'share_rate',
      low: 'low_rate',
      high: 'high_rate',
      own: 'is_own',
      newest: 'run_date',
    },
  ],
};

/** `Named in more answers than its 5 nearest rivals; Casa Otoño is nearest, 2.1 points behind`. */
function rivalsTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const date = newestOf(rows, 'run_date');
  const newest = rows.filter((row) => row.text('run_date') === date && row.number('share_rate') !== null);
  const own = newest.find((row) => row.flag('is_own') === true)?.number('share_rate') ?? null;
  const rivals = newest.filter((row) => row.flag('is_own') === false);
  const gapOf = (row: Fields) => (row.number('share_rate') ?? 0) - (own ?? 0);
  const [first] = rivals.toSorted((one, other) => Math.abs(gapOf(one)) - Math.abs(gapOf(other)));
  if (own === null || first === undefined) {
    const words: Words =
      own === null
        ? { en: 'In how many answers it is named: {why}', es: 'En cuántas respuestas se nombra: {why}' }
        : { en: 'In how many answers rivals are named: {why}', es: 'En cuántas se nombra a rivales: {why}' };
    return fill(words, language, { why: unknownWord(telling, 'share_rate') });
  }
  const more = rivals.filter((row) => gapOf(row) > 0).length;
  const words: Words =
    more === 0
      ? { en: 'Named in more answers than {all}', es: 'Nombrada en más respuestas que {all}' }
      : more === rivals.length
        ? { en: 'Named in fewer answers than {all}', es: 'Nombrada en menos respuestas que {all}' }
        : {
            en: `{more} of {all} ${more === 1 ? 'is' : 'are'} named in more answers`,
            es: `{more} de {all} se ${more === 1 ? 'nombra' : 'nombran'} en más`,
          };
  const all: Words =
    rivals.length === 1
      ? { en: 'its nearest rival', es: 'su rival más cercano' }
      : { en: 'its {count} nearest rivals', es: 'sus {count} rivales más cercanos' };
  const nearest: Words =
    gapOf(first) === 0
      ? { en: '; {name} is nearest, with as many', es: '; {name} es el más cercano, con las mismas' }
      : gapOf(first) > 0
        ? {
            en: '; {name} is nearest, {points} points ahead',
            es: '; {name} es el más cercano, {points} puntos por delante',
          }
        : {
            en: '; {name} is nearest, {points} points behind',
            es: '; {name} es el más cercano, {points} puntos por detrás',
          };
  return fill({ en: `${words.en}${nearest.en}`, es: `${words.es}${nearest.es}` }, language, {
    more: String(more),
    all: fill(all, language, { count: String(rivals.length) }),
    name: cutText(first.text('competitor_name') ?? '?', 30),
    points: formatNumber(Math.abs(gapOf(first)) * 100, language),
  });
}

export const rankTrend: Chart = {
  name: 'rank-trend',
  page: 'client',
  scope: 'both',
  dateColumn: 'date',
  label: { en: 'AI Rank over time', es: 'Evolución del AI Rank' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  note: {
    en: 'The band is the interval that the service states. v1 and v2 are different methods and are never joined. Hollow points cannot be compared with the others. Dates without a point are gaps. Past 180 days: the last point of each week.',
    es: 'La banda es el intervalo que indica el servicio. v1 y v2 son métodos distintos y nunca se unen. Los puntos huecos no son comparables con los demás. Las fechas sin punto quedan como huecos. A partir de 180 días: el último punto de cada semana.',
  },
  title: (rows, { language }) => {
    const points = rows.filter((row) => row.text('excluded_reason') === null && row.number('score') !== null);
    const newest = points.at(-1);
    if (newest === undefined) {
      return { en: 'No comparable points in this period', es: 'No hay puntos comparables en este periodo' }[
        language
      ];
    }
    const methods = new Set(points.map((row) => row.text('method')));
    const words = {
      en: 'The AI Rank{method} is {score} on {date}',
      es: 'El AI Rank{method} es {score} el {date}',
    };
    return fill(words, language, {
      method: methods.size > 1 ? ` (${newest.text('method') ?? '?'})` : '',
      score: formatNumber(newest.number('score') ?? 0, language),
      date: formatDate(newest.text('date') ?? '', language),
    });
  },
  forms: [
    {
      as: 'trend',
      date: 'date',
      value: 'score',
      series: 'method',
      low: 'lower_score',
      high: 'upper_score',
      excluded: 'excluded_reason',
    },
  ],
};

export const rankDimensions: Chart = {
  name: 'rank-dimensions',
  page: 'client',
  scope: 'both',
  place: 'c6',
  dateColumn: 'date',
  label: { en: 'What the AI Rank is made of', es: 'De qué se compone el AI Rank' },
  unit: { en: 'Points of each dimension, 0 to 100', es: 'Puntos de cada dimensión, de 0 a 100' },
  // Methods are never compared: that of the newest point.
  keep: (row, all) => row.text('method') === (all.at(-1)?.text('method') ?? null),
  title: (rows, { language }) => dimensionsTitle(rows, language),
  forms: [{ as: 'bars', name: 'dimension', value: 'score', newest: 'date' }],
};

function dimensionsTitle(rows: readonly Fields[], language: Telling['language']): string {
  const known = rows.filter((row) => row.number('score') !== null);
  const date = newestOf(known, 'date') ?? '';
  const since = known.map((row) => row.text('date') ?? '').sort()[0] ?? '';
  const scoreOn = (on: string, dimension: string | null) =>
    known.find((row) => row.text('date') === on && row.text('dimension') === dimension)?.number('score') ??
    null;
  const changes = [...new Set(known.map((row) => row.text('dimension')))].flatMap((dimension) => {
    const [now, before] = [scoreOn(date, dimension), scoreOn(since, dimension)];
    return now === null || before === null || since === date
      ? []
      : [{ dimension, now, before, change: now - before }];
  });
  const [first, ...others] = changes;
  if (first === undefined) {
    const newest = known.filter((row) => row.text('date') === date);
    const said = newest
      .sort((one, other) => (one.number('score') ?? 0) - (other.number('score') ?? 0))
      .map(
        (row) =>
          `${formatValue(row.text('dimension'), 'word', language)} ${formatNumber(row.number('score') ?? 0, language)}`,
      );
    return fill({ en: 'On {date}: {said}', es: 'El {date}: {said}' }, language, {
      date: formatDate(date, language),
      said: said.join(', '),
    });
  }
  const most = others.reduce(
    (one, other) => (Math.abs(other.change) > Math.abs(one.change) ? other : one),
    first,
  );
  const [lower, higher] = [
    changes.filter(({ change }) => change < 0).length,
    changes.filter(({ change }) => change > 0).length,
  ];
  const words: Words = {
    en: `{lower} of {all} dimensions are lower than on {since}${higher === 0 ? '' : ', {higher} higher'}; {most} changed most, {before} to {now}`,
    es: `{lower} de {all} dimensiones están más bajas que el {since}${higher === 0 ? '' : ', {higher} más altas'}; la que más cambió es {most}, de {before} a {now}`,
  };
  return fill(words, language, {
    all: String(changes.length),
    lower: String(lower),
    higher: String(higher),
    since: formatDate(since, language),
    most: formatValue(most.dimension, 'word', language),
    before: formatNumber(most.before, language),
    now: formatNumber(most.now, language),
  });
}

export const competitorAlerts: Chart = {
  name: 'competitor-alerts',
  page: 'client',
  scope: 'both',
  dateColumn: 'alert_date',
  label: { en: 'What rivals did', es: 'Qué hicieron los rivales' },
  unit: { en: 'Warnings of the service', es: 'Avisos del servicio' },
  title: (rows, { language }) => {
    const words = { en: '{count} since {from}, of {rivals}', es: '{count} desde el {from}, de {rivals}' };
    const rivalNoun = { en: ['rival', 'rivals'], es: ['rival', 'rivales'] } as const;
    return fill(words, language, {
      count: counted(rows.length, { en: ['warning', 'warnings'], es: ['aviso', 'avisos'] }, language),
      from: formatDate(rows.map((row) => row.text('alert_date') ?? '').sort()[0] ?? '', language),
      rivals: counted(new Set(rows.map((row) => row.text('competitor_name'))).size, rivalNoun, language),
    });
  },
  forms: [{ as: 'table' }],
};
