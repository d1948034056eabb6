// The beginning of a body, for error texts.

const longest = 120;

/** One line of at most 120 characters in quotes; `scrub` removes secrets first, so that none is cut in two. */
export function quote(text: string, scrub: (text: string) => string): string {
  const clean = scrub(text.slice(0, 2_000)).replace(/\s+/g, ' ').trim();
  if (clean === '') return 'an empty body';
  return JSON.stringify(clean.length > longest ? `${clean.slice(0, longest)}…` : clean);
}
