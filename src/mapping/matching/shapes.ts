// Shapes of values: an address, a currency, a question. A shape says more about a field than its name.
import { currencies } from '../../core/currencies.ts';
import type { Scalar } from './profile.ts';

export type Shape =
  | 'url'
  | 'domain'
  | 'question'
  | 'currency'
  | 'language'
  | 'country'
  | 'method'
  | 'engine'
  | 'bot'
  | 'decision'
  | 'class'
  | 'demand_type'
  | 'polarity'
  | 'intent'
  | 'trend'
  | 'activity'
  | 'availability'
  | 'absence'
  | 'email'
  | 'uuid'
  | 'hash'
  | 'version';

const words = (text: string) => new RegExp(`^(?:${text.trim().split(/\s+/).join('|')})$`, 'i');

const engines =
  /chat ?gpt|gpt|gemini|perplexity|claude|copilot|deepseek|grok|mistral|llama|meta ?ai|ai ?overview|sge|bard|bing|google|openai|anthropic/i;

const patterns: Readonly<Record<Shape, RegExp>> = {
  url: /^(?:https?:\/\/\S+|(?:[a-z0-9-]+\.)+[a-z]{2,24}\/\S*|\/[\w\-./%?=&#]*)$/i,
  domain: /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}$/i,
  question: /^\s*¿|\?\s*$/,
  currency: new RegExp(`^(?:${currencies})$`, 'i'),
  language:
    /^(?:[a-z]{2}(?:[-_][A-Za-z]{2,4})?|español|castellano|ingl[eé]s|spanish|english|franc[eé]s|french|portugu[eé]s|portuguese|alem[aá]n|german|catal[aá]n|italiano|italian)$/i,
  country:
    /^(?:[A-Z]{2,3}|espa[ñn]a|spain|m[eé]xico|argentina|chile|colombia|per[uú]|portugal|francia|france|italia|italy|alemania|germany|estados unidos|united states|usa|reino unido|united kingdom|uk|brasil|brazil|uruguay|ecuador|canada|canad[aá])$/i,
  method: /^(?:v|version|versi[oó]n|m[eé]todo|method)[ _.-]?[12](?:\.0)?$/i,
  engine: engines,
  bot: /bot\b|crawler|spider|gptbot|claude|perplexity|ccbot|bytespider|google-extended|chatgpt-user|oai-search/i,
  decision: words('ACT REQUIRE_APPROVAL WAIT INVESTIGATE_MORE NO_ACTION'),
  class: words('primario primaria emergente descubierto descubierta primary emerging discovered'),
  demand_type: words(
    'observada observado relativa relativo estimada estimado proxy observed relative estimated not_available',
  ),
  polarity: words(
    'positiv[oa]s? negativ[oa]s? neutr[oa]l?(?:es)? neutral mixt[oa] mixed positive negative pos neg neu [+-] favorable desfavorable',
  ),
  intent:
    /^(?:inform(?:a\w*|acional|ational)|comercial|commercial|transac\w+|transactional|naveg\w+|navigational|compar\w+|compra\w*|buy|local)$/i,
  trend:
    /^(?:(?:al|en|a[ _]la)[ _-]?(?:alza|baja)|sub(?:e|iendo|ida)|baj(?:a|ando|ada)|crec\w+|decrec\w+|estable|stable|steady|flat|igual|m[aá]s|menos|plan[ao]|up|down|ris(?:e|es|ing)|fall(?:s|ing)?|grow\w*|declin\w+|increas\w+|decreas\w+|ascendente|descendente|alcista|bajista|[↑↓→])$/i,
  activity:
    /^(?:in)?activ[oae]$|^(?:en|dis)abled$|^(?:des)?(?:activad|habilitad)[oa]$|^(?:live|paused|pausad[oa]|archived|archivad[oa])$/i,
  availability:
    /^(?:true|false|s[ií]|no|yes|y|n|0|1|presente|ausente|present|absent|visible|shown|hidden|none|disponible|available|no[ _-]?disponible|not[ _-]?available|n\/?a|unavailable|unknown|desconocid[oa])$/i,
  absence:
    /^(?:not[_ -]?available|no[_ -]?disponible|n\/?[ad]|-+|null|none|unavailable|sin[_ ]datos?|no[_ ]data|desconocid[oa]|unknown)$/i,
  email: /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  hash: /^(?:(?:sha|md5)[\w-]*:)?[0-9a-f]{16,}$/i,
  version: /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$/,
};

/** Remembers results for the same values, by the key `what`, as many fields look at them. */
export function memory<Result>(): (values: readonly Scalar[], what: string, compute: () => Result) => Result {
  const known = new WeakMap<readonly Scalar[], Map<string, Result>>();
  return (values, what, compute) => {
    const own = known.get(values) ?? new Map<string, Result>();
    known.set(values, own);
    const before = own.get(what);
    if (before !== undefined) return before;
    const result = compute();
    own.set(what, result);
    return result;
  };
}

const figures = memory<number>();
const counts = memory<ReadonlyMap<Scalar, number>>();

/** Counts each value, because most paths hold a few again and again. */
function countsOf(values: readonly Scalar[]): ReadonlyMap<Scalar, number> {
  return counts(values, '', () => {
    const found = new Map<Scalar, number>();
    for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
    return found;
  });
}

/** Returns the share of the values for which this holds; needs at least one value. `what` names the condition. */
export function shareThat(
  values: readonly Scalar[],
  what: string,
  holds: (value: Scalar) => boolean,
): number {
  return figures(values, what, () => {
    let count = 0;
    for (const [value, times] of countsOf(values)) if (holds(value)) count += times;
    return count / values.length;
  });
}

/** Returns the share of the values that have the shape; 0 if there are none. */
export function shareOf(shape: Shape, values: readonly Scalar[]): number {
  if (values.length === 0) return 0;
  const pattern = patterns[shape];
  return shareThat(values, shape, (value) => pattern.test(String(value).trim()));
}

export function looksSo(shape: Shape, value: Scalar): boolean {
  return patterns[shape].test(String(value).trim());
}

export function distinctShare(values: readonly Scalar[]): number {
  return countsOf(values).size / Math.max(values.length, 1);
}

export function meanLength(values: readonly Scalar[]): number {
  return figures(
    values,
    'length',
    () => values.reduce<number>((sum, value) => sum + String(value).length, 0) / Math.max(values.length, 1),
  );
}
