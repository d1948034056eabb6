/** The end of a message that no identifier was found: fields whose names look like one, for people to choose from. */
export function alikeText(fields: readonly string[]): string {
  return fields.length === 0 ? '' : `, perhaps to one of ${fields.join(', ')}`;
}
