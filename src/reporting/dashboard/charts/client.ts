// A client: where it stands, whether that really changed, and how its rivals and the engines see it.
import type { Chart, Fields, Telling } from './chart.ts';
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
import { newestOf, sumOf, unknownTail, unknownWord } from './tell.ts';

export const questionNoun = { en: ['question', 'questions'], es: ['pregunta', 'preguntas'] } as const;
export const answerNoun = { en: ['answer', 'answers'], es: ['respuesta', 'respuestas'] } as const;

export const standing: Chart = {
  name: 'standing',
  page: 'client',
  scope: 'client',
  label: { en: 'Where it stands', es: 'Situación actual' },
  unit: {
    en: 'Share of answers that name the brand; AI Rank, 0 to 100',
    es: 'Proporción de respuestas que nombran a la marca; AI Rank, de 0 a 100',
  },
  note: {
    en: 'The newest figures, over 28 days against the 28 before; the share is the mean over questions and engines. A change counts where the same questions were asked of the same engines in both; what was asked in one of them only is left out.',
    es: 'Las cifras más recientes, de 28 días frente a los 28 anteriores; la proporción es la media de preguntas y motores. Un cambio cuenta si las mismas preguntas se hicieron a los mismos motores en ambos; lo que se preguntó solo en uno queda fuera.',
  },
  title: ([row], telling) => (row === undefined ? '' : standingTitle(row, telling)),
  forms: [
    {
      as: 'tiles',
      figures: [
        {
          value: 'mention_rate',
          verdict: 'mention_direction',
          change: 'mention_change',
          since: 'mention_from_date',
        },
        {
          value: 'score',
          low: 'score_low',
          high: 'score_high',
          verdict: 'rank_direction',
          change: 'change_28d',
          since: 'date_28d',
        },
        { value: 'alert_count', text: 'alerts_en' },
        { value: 'late_count' },
      ],
    },
  ],
};

/** `Named in 21 % of the answers to 40 questions (640 answers) in 28 days: fell, after 30 % (620 answers). AI Rank 47.3: rose`. */
function standingTitle(row: Fields, telling: Telling): string {
  const { language } = telling;
  const [rate, before, score] = [
    row.number('mention_rate'),
    row.number('before_mention_rate'),
    row.number('score'),
  ];
  const verdict = (name: string) => {
    const word = row.text(name);
    return word === null ? '' : `: ${verdictWords[word]?.[language] ?? word}`;
  };
  const count = (name: string) => counted(row.number(name) ?? 0, answerNoun, language);
  const named =
    rate === null
      ? { en: 'Named in: {why}', es: 'Nombrada en: {why}' }
      : {
          en: `Named in {rate} of the answers to {questions} ({answers}) in 28 days{verdict}${before === null ? '' : ', after {before} ({answersBefore})'}`,
          es: `Nombrada en el {rate} de las respuestas a {questions} ({answers}) en 28 días{verdict}${before === null ? '' : ', tras el {before} ({answersBefore})'}`,
        };
  const left = [row.number('questions_added') ?? 0, row.number('questions_dropped') ?? 0];
  const rank =
    score === null
      ? unknownWord(telling, 'score')
      : `${formatNumber(score, language)}${verdict('rank_direction')}`;
  const panel =
    left[0] === 0 && left[1] === 0
      ? ''
      : fill(
          {
            en: '; {added} questions new and {dropped} no longer asked: left out',
            es: '; {added} preguntas nuevas y {dropped} retiradas, sin contar',
          },
          language,
          { added: String(left[0]), dropped: String(left[1]) },
        );
  const said = fill(named, language, {
    why: unknownWord(telling, 'mention_rate'),
    rate: formatRate(rate ?? 0, language),
    before: formatRate(before ?? 0, language),
    questions: counted(row.number('question_count') ?? 0, questionNoun, language),
    answers: count('answer_count'),
    answersBefore: count('before_answer_count'),
    verdict: verdict('mention_direction'),
  });
  return `${said}${panel}. AI Rank ${rank}`;
}

const mostNamed = 5;

export const mentionRate: Chart = {
  name: 'mention-rate',
  page: 'client',
  scope: 'both',
  dateColumn: 'week_date',
  label: { en: 'Named by engine, over time', es: 'Nombrada por motor, en el tiempo' },
  unit: { en: 'Share of the answers of a week', es: 'Proporción de las respuestas de una semana' },
  note: {
    en: 'The band says what asking the same questions again would give, in 95 of 100 cases. With one answer a question it is too wide.',
    es: 'La banda indica lo que daría repetir las mismas preguntas, en 95 de cada 100 casos. Con una respuesta por pregunta es demasiado ancha.',
  },
  title: (rows, telling) => {
    const { language } = telling;
    const [known, mentioned, answers] = ['known_count', 'mentioned_count', 'answer_count'].map((name) =>
      sumOf(rows, name),
    );
    const all = counted(known ?? 0, answerNoun, language);
    if (!known) {
      return fill(
        {
          en: '{all} judged; whether they name the brand: {why}',
          es: '{all} valoradas; si nombran a la marca: {why}',
        },
        language,
        { all, why: unknownWord(telling, 'mentioned_count', 'is_mentioned') },
      );
    }
    const engines = [...new Set(rows.map((row) => row.text('engine')))].flatMap((engine) => {
      const own = rows.filter((row) => row.text('engine') === engine);
      const judged = sumOf(own, 'known_count');
      const name = engine === null ? unknownWord(telling, 'engine') : formatValue(engine, 'word', language);
      return judged === 0 ? [] : [`${name} ${formatRate(sumOf(own, 'mentioned_count') / judged, language)}`];
    });
    const words = {
      en: 'Named in {rate} of {all} since {from}: {engines}',
      es: 'Nombrada en el {rate} de {all} desde el {from}: {engines}',
    };
    const from = rows.map((row) => row.text('week_date') ?? '').sort()[0] ?? '';
    return `${fill(words, language, {
      rate: formatRate((mentioned ?? 0) / known, language),
      all,
      from: formatDate(from, language),
      engines: `${engines.slice(0, mostNamed).join(', ')}${engines.length > mostNamed ? ', …' : ''}`,
    })}${unknownTail((answers ?? 0) - known, telling, 'mentioned_count')}`;
  },
  forms: [
    {
      as: 'trend',
      date: 'week_date',
      value: 'mention_rate',
      series: 'engine',
      low: 'low_rate',
      high: 'high_rate',
    },
  ],
};

export const voice: Chart = {
  name: 'voice',
  page: 'client',
  scope: 'both',
  dateColumn: 'run_date',
  label: { en: 'Beside its nearest rivals', es: 'Junto a sus rivales más cercanos' },
  unit: { en: 'Share of answers that name it', es: 'Proporción de respuestas que la nombran' },
  note: {
    en: 'The brand and the five rivals whose share is nearest to it. Whose intervals overlap cannot be put in order by them.',
    es: 'La marca y los cinco rivales cuya proporción es más cercana. Si los intervalos se solapan, no permiten ordenarlas.',
  },
  title: (rows, telling) => {
    const { language } = telling;
    const date = newestOf(rows, 'run_date');
    const newest = rows.filter((row) => row.text('run_date') === date);
    const shareOf = (row: Fields) => {
      const share = row.number('share_rate');
      return share === null ? unknownWord(telling, 'share_rate') : formatRate(share, language);
    };
    const own = newest.find((row) => row.flag('is_own') === true);
    const rivals = newest
      .filter((row) => row.flag('is_own') === false)
      .map((row) => `${cutText(row.text('competitor_name') ?? '?', 30)} ${shareOf(row)}`);
    const words = {
      en: 'Named in {share} of the answers; the nearest rivals: {rivals}',
      es: 'Nombrada en el {share} de las respuestas; los rivales más cercanos: {rivals}',
    };
    return fill(words, language, {
      share: own === undefined ? unknownWord(telling, 'share_rate') : shareOf(own),
      rivals: rivals.join(', '),
    });
  },
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
    { as: 'trend', date: 'run_date', value: 'share_rate', series: 'competitor_name', own: 'is_own' },
  ],
};

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
  dateColumn: 'date',
  label: { en: 'What the AI Rank is made of', es: 'De qué se compone el AI Rank' },
  unit: { en: 'Points of each dimension, 0 to 100', es: 'Puntos de cada dimensión, de 0 a 100' },
  title: (rows, { language }) => {
    const date = newestOf(rows, 'date');
    const newest = rows
      .filter((row) => row.text('date') === date && row.number('score') !== null)
      .sort((one, other) => (one.number('score') ?? 0) - (other.number('score') ?? 0));
    const said = newest.map(
      (row) =>
        `${formatValue(row.text('dimension'), 'word', language)} ${formatNumber(row.number('score') ?? 0, language)}`,
    );
    return fill({ en: 'On {date}: {said}', es: 'El {date}: {said}' }, language, {
      date: formatDate(date ?? '', language),
      said: said.join(', '),
    });
  },
  forms: [{ as: 'trend', date: 'date', value: 'score', series: 'dimension', split: 'method' }],
};

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
