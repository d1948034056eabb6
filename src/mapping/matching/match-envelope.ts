// Finds fields that the records lack in what stands beside their list: there a currency, for example, is said
// once for all of them. Most of what stands there is about the list and not about its records, so few fields
// are looked for, and fewer are taken without asking. Pure.
import type { LogicalSource } from '../logical/logical-source.ts';
import { printPlace } from '../logical/place.ts';
import { type Candidate, candidateAt, candidatesFor, type Sample } from './candidates.ts';
import { expectationOf } from './expectations.ts';
import { isClear, type Mapping, type Match, mostProposals, plain, sure, worthAsking } from './match.ts';
import { stepOf } from './rows.ts';
import type { Shape } from './shapes.ts';

/** Weight of a path beside the list, compared with one in the record. */
const besideWeight = 0.9;

/** Forms of values that mean for each record what the field's name says. */
const shared: ReadonlySet<Shape | undefined> = new Set([
  'currency',
  'country',
  'language',
  'engine',
  'method',
] as const);

/** Fields that may be about the list as well: when it was made, or who asked for it. */
const doubtful: ReadonlySet<string> = new Set([
  'date',
  'measured_at',
  'made',
  'updated',
  'as_of',
  'brand',
  'unit',
]);

/** A period beside a list is that of its figures. */
const periods: ReadonlySet<string> = new Set(['period', 'period_start', 'period_end']);
const isPeriod =
  /^\^\^(?:meta\.)?(?:periodo?|ventana|window|intervalo|rango|range)(?:dias|days)?(?:\.(?:desde|hasta|inicio|ini|fin|from|to|start|end))?$/i;

/**
 * Names that hold for every record, `_` and case aside. A longer one (`plan_currency`, `metodo_actual`) may
 * speak of the account or of now, and a method of a history of its last point: those are asked about.
 */
const ofEach =
  /^\^\^(?:meta\.)?(?:moneda|divisa|codigomoneda|currency|currencycode|pais|country|countrycode|motor|engine|idioma|language)$/i;

const brand = [/^(?:marca|brand)$/, /^(?:marca|brand)\.(?:nombre|name)$/];

/** Names of fields of all records, by field or source and field, `_` and case aside. The first one counts. */
const said: Readonly<Record<string, readonly RegExp[]>> = {
  as_of: [
    /^(?:last)?(?:actualizad[oa]|calculad[oa]|generad[oa]|updated|computed|generated|asof|fechadatos|(?:fecha)?corte)(?:en|el|at|on)?$/,
  ],
  period: [
    /^(?:periodo?|ventana|window|intervalo|rango|range)\.(?:dias|days)$/,
    /^(?:dias|days)$/,
    /^(?:periodo?|ventana|window|intervalo|rango|range)\.(?:etiqueta|label|rotulo|nombre|name)$/,
  ],
  'competitors.brand': brand,
  'competitor_series.brand': brand,
  'competitors.answers': [/^(?:respuestas|answers)(?:analizadas|analy[sz]ed|total)?$/],
  'crawl.domain': [/^(?:dominio|domain)$/],
};

function saidAt(sample: Sample, field: string): Candidate | undefined {
  const { source, profiles } = sample;
  for (const name of said[`${source.name}.${field}`] ?? said[field] ?? []) {
    const [only, ...others] = [...profiles.values()].flatMap(({ path, values }) => {
      const isNamed = name.test(
        path
          .join('.')
          .replace(/^meta\./, '')
          .replaceAll('_', '')
          .toLowerCase(),
      );
      const at = printPlace({ base: 'envelope', steps: path.map(stepOf), readers: [] });
      return isNamed && values.length > 0 ? (candidateAt(sample, field, at) ?? []) : [];
    });
    if (only !== undefined && others.length === 0) return only;
  }
  return undefined;
}

/** @param sample the envelopes @param match what the records show */
export function matchEnvelope(sample: Sample, match: Match, { overrides, current }: Mapping): Match {
  const { source } = sample;
  const open = Object.keys(source.fields).filter(
    (field) =>
      isLookedFor(source, field) && !overrides.has(field) && !match.found.some((one) => one.field === field),
  );
  const found = [...match.found];
  const proposals = new Map(match.proposals);
  for (const field of source.stream === 'clientes' ? [] : Object.keys(source.fields)) {
    const isOpen = !overrides.has(field) && !found.some((one) => one.field === field);
    const candidate =
      isOpen && (proposals.get(field)?.[0]?.score ?? 0) < sure ? saidAt(sample, field) : undefined;
    if (candidate === undefined) continue;
    found.push({ ...plain(candidate), score: Math.max(candidate.score, sure) });
    proposals.delete(field);
  }
  for (const field of open) {
    if (found.some((one) => one.field === field)) continue;
    const candidates = candidatesFor(sample, field, current.get(field))
      .map((one) => ({ ...one, score: Math.round(one.score * besideWeight * 1000) / 1000 }))
      .sort((a, b) => b.score - a.score);
    const [best, next] = candidates;
    if (best === undefined || best.score < worthAsking) continue;
    const inRecord = proposals.get(field)?.[0]?.score ?? 0;
    if (
      isPlain(source, best) &&
      inRecord < sure &&
      isClear(best.score, Math.max(next?.score ?? 0, inRecord))
    ) {
      found.push(plain(best));
      proposals.delete(field);
    } else if (!proposals.has(field)) {
      const asked = candidates.filter(({ score }) => score >= worthAsking);
      proposals.set(field, asked.map(plain).slice(0, mostProposals));
    }
  }
  return { found, proposals };
}

function isLookedFor(source: LogicalSource, field: string): boolean {
  return isShared(source, field) || doubtful.has(field) || periods.has(field);
}

/** A list of engines is what was asked for in all, and not of each record. */
function isShared(source: LogicalSource, field: string): boolean {
  const { type, shape } = expectationOf(source, field);
  return type === 'text' && shared.has(shape);
}

/** True if nothing else can be meant. Around a list of clients it may be the account's own. */
function isPlain(source: LogicalSource, { field, path, score, isAmbiguous, isTelling }: Candidate): boolean {
  if (score < sure || isAmbiguous || source.stream === 'clientes') return false;
  const name = (path.split(' | ')[0] ?? '').replaceAll('_', '');
  if (periods.has(field)) return isPeriod.test(name);
  return isTelling && isShared(source, field) && ofEach.test(name);
}
