// Finds fields that the records lack beside their list, where a currency, for example, is given once for all. Most
// values there are about the list and not its records, so few fields are looked for, and fewer are taken without
// asking. Pure.
import type { LogicalSource } from '../logical/logical-source.ts';
import { printPlace } from '../logical/place.ts';
import { type Candidate, candidateAt, candidatesFor, type Sample } from './candidates.ts';
import { expectationOf, mayShare } from './expectations.ts';
import { isClear, type Mapping, type Match, mostProposals, plain, sure, worthAsking } from './match.ts';
import { type Profiles, pathKey } from './profile.ts';
import { stepOf } from './rows.ts';
import type { Shape } from './shapes.ts';

/** Weight of a path beside the list, compared with one in the record. */
const besideWeight = 0.9;

/** Shapes of values that mean for each record what the field's name says. */
const shared: ReadonlySet<Shape | undefined> = new Set([
  'currency',
  'country',
  'language',
  'engine',
  'method',
] as const);

/** Fields that may be about the list, too: when it was made, or who asked for it. */
const doubtful: ReadonlySet<string> = new Set([
  'date',
  'measured_at',
  'made',
  'updated',
  'as_of',
  'brand',
  'unit',
  'period',
  'period_start',
  'period_end',
]);

const span = '(?:periodo?|ventana|window|intervalo|rango|range)';
/** Names that say until when the data of a list goes. */
const cut =
  /^(?:[a-z]*asof|fecha(?:datos|metricas|figures)|datos?(?:hasta|al)|data(?:until|through)|(?:fec(?:ha)?)?corte)(?:en|el|at|on)?$/;
const brand = [/^(?:marca|brand)$/, /^(?:marca|brand)\.(?:nombre|name)$/];

const asOf = [
  cut,
  /^(?:last)?(?:re)?(?:actualizad[oa]|calculad[oa]|generad[oa]|updated|refreshed|computed|generated)(?:en|el|at|on)?$/,
  /^fecha(?:calculo|(?:ultima)?medicion)$/,
  new RegExp(`^${span}[.](?:hasta|to|enddate)$`),
];

/**
 * Names that hold for every record, `_` and case aside, by source and field, by field, or by the shape of a text's
 * values. The first match counts. A longer name (`report_currency`, `metodo_actual`) may be about the account or about
 * now, and a history's method about its last point, so those are asked about.
 */
const said: Readonly<Record<string, readonly RegExp[]>> = {
  currency: [/^(?:moneda|divisa|codigomoneda|currency|currencycode)$/],
  country: [/^(?:pais|country|countrycode)$/],
  engine: [/^(?:motor|engine)$/],
  language: [/^(?:idioma|language)$/],
  as_of: asOf,
  'benchmark.as_of': [...asOf, /^(?:fecha)?(?:indice|index)(?:actualizad[oa]|updated)?(?:en|el|at|on)?$/],
  period: [
    new RegExp(`^(?:lookback|observation|report(?:ing)?|analysis)?${span}(?:dias|days)?$`),
    new RegExp(`^${span}[.](?:(?:n|num)?(?:dias|days)|valor|value)$`),
    /^(?:dias|days)(?:analizados|analy[sz]ed)?$/,
    new RegExp(`^${span}[.](?:etiqueta|label|rotulo|nombre|name|clave|codigo|key|code)$`),
  ],
  period_start: [
    new RegExp(`^${span}[.]?(?:fecha)?(?:desde|inicio|ini|from|starts?)(?:en|el|at|on|date)?$|^from$`),
  ],
  period_end: [new RegExp(`^${span}[.]?(?:fecha)?(?:hasta|fin|to|ends?|until)(?:en|el|at|on|date)?$|^to$`)],
  'competitors.brand': brand,
  'competitor_series.brand': brand,
  'competitors.answers': [/^(?:respuestas|answers)(?:analizadas|analy[sz]ed|total)?$/],
  'crawl.domain': [/^(?:dominio|domain)$/],
};

const holders = 'meta|metadata|context|contexto|info';
/** Holders whose dates and periods are those of the list; their currency may be that of a total. */
const summaries = 'evaluation|evaluacion|report|reporte|informe|summary|resumen';
const wholeName = new RegExp(`^\\^*(?:(?:${holders})\\.)*|[_-]| \\|.*$`, 'gi');
const timeName = new RegExp(`^\\^*(?:(?:${holders}|${summaries})\\.)*|[_-]| \\|.*$`, 'gi');

/** Returns what a name says, without its holders, `_` and readers. */
const plainKey = (path: string, field: string) =>
  path.replace(/^(?:as_of|period)/.test(field) ? timeName : wholeName, '').toLowerCase();

const isCut = (path: string) => cut.test(plainKey(path, 'as_of'));

/** True unless a unit beside it says that it is no number of days. */
function isOfDays(profiles: Profiles, path: readonly string[]): boolean {
  const units = ['unit', 'unidad'].flatMap(
    (name) => profiles.get(pathKey([...path.slice(0, -1), name]))?.values ?? [],
  );
  return units.every((unit) => /^(?:d[ií]a|day)s?$/i.test(String(unit)));
}

/** False for `to` without `from` beside it: it is no end of anything. */
function hasBothEnds(profiles: Profiles, path: readonly string[]): boolean {
  const other = { from: 'to', to: 'from' }[path.at(-1) ?? ''];
  return other === undefined || profiles.has(pathKey([...path.slice(0, -1), other]));
}

/** Returns the path whose name holds for every record. */
function saidAt(sample: Sample, field: string): Candidate | undefined {
  const { source, profiles } = sample;
  const form = sharedForm(source, field);
  for (const name of said[`${source.name}.${field}`] ?? said[field] ?? said[form ?? ''] ?? []) {
    const [only, ...others] = [...profiles.values()].flatMap(({ path, values }) => {
      if (values.length === 0 || !name.test(plainKey(path.join('.'), field)) || !isOfDays(profiles, path))
        return [];
      if (/^period_/.test(field) && !hasBothEnds(profiles, path)) return [];
      const place = printPlace({ base: 'envelope', steps: path.map(stepOf), readers: [] });
      return candidateAt(sample, field, place) ?? [];
    });
    if (only !== undefined && others.length === 0)
      return (field === 'period' && only.isAnother) || (form !== undefined && !only.isTelling)
        ? undefined
        : only;
  }
  return undefined;
}

/** @param sample envelopes @param match result for the records */
export function matchEnvelope(sample: Sample, match: Match, { overrides, current }: Mapping): Match {
  const { source } = sample;
  const found = [...match.found];
  const proposals = new Map(match.proposals);
  for (const field of Object.keys(source.fields)) {
    if (overrides.has(field)) continue;
    // Around a list of clients it may be the account's own.
    const told = source.stream === 'clientes' ? undefined : saidAt(sample, field);
    const isTaken = found.some((one) => one.path === told?.path && !mayShare(one.field, field));
    const named = isTaken ? undefined : told;
    const plainly = named?.isAmbiguous === true ? undefined : named;
    const own = found.find((one) => one.field === field);
    if (own !== undefined) {
      // The better name counts for what is about the list: a record's may be another moment, as that of its last change.
      const isBetter =
        named !== undefined &&
        current.get(field) !== own.path &&
        (named.score > own.score || (isCut(named.path) && !isCut(own.path)) || /modif/i.test(own.path));
      if (!doubtful.has(field) || !isBetter) continue;
      found.splice(found.indexOf(own), 1, ...(plainly === undefined ? [] : [plain(plainly)]));
      if (plainly === undefined) proposals.set(field, [plain(named), own]);
      continue;
    }
    const score = Math.max(plainly?.score ?? 0, sure);
    if (plainly !== undefined && isClear(score, proposals.get(field)?.[0]?.score ?? 0)) {
      found.push({ ...plain(plainly), score });
      proposals.delete(field);
    } else if (!proposals.has(field) && isLookedFor(source, field)) {
      const asked = candidatesFor(sample, field, current.get(field))
        .map((one) => ({ ...plain(one), score: Math.round(one.score * besideWeight * 1000) / 1000 }))
        .filter(({ score }) => score >= worthAsking)
        .sort((a, b) => b.score - a.score);
      if (asked.length > 0) proposals.set(field, asked.slice(0, mostProposals));
    }
  }
  return { found, proposals };
}

function isLookedFor(source: LogicalSource, field: string): boolean {
  return sharedForm(source, field) !== undefined || doubtful.has(field);
}

/** A list of engines is the set that was asked in all, not those of each record. */
function sharedForm(source: LogicalSource, field: string): Shape | undefined {
  const { type, shape } = expectationOf(source, field);
  return type === 'text' && shared.has(shape) ? shape : undefined;
}
