// What a pointer reads of a point: a text that the point carries itself, in which a brace begins no style.

/** For `tooltip.formatter`. */
export function detailOf(given: unknown): string {
  const one: unknown = Array.isArray(given) ? given[0] : given;
  const data = memberOf(one, 'data');
  const detail = memberOf(data, 'detail');
  return typeof detail === 'string' ? detail.replaceAll('{', '{\u2060') : '';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
