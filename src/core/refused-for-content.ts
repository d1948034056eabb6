// Whether a refusal of a write is about what is in it: sent again as it is, it would be refused again.

/** The key has no right to it. */
export const rightStatuses: readonly number[] = [402, 403, 451];

/** Key, right, address, or what stands in between: may be right by the next time. */
export const accessStatuses = rightStatuses.concat(401, 404, 405, 407, 408, 410, 421, 425, 426);

/** @param httpStatus undefined: it was not noted */
export function isRefusedForContent(httpStatus: number | undefined): boolean {
  const status = httpStatus ?? 400;
  return status >= 400 && status !== 429 && !accessStatuses.includes(status);
}
