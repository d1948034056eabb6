// The readers of a path: what its text says about how values are written, or which one of a list counts.

/** What makes one value of a list. */
export const listReaders = ['first', 'last', 'join', 'count', 'sum'] as const;

/** In the order of the canonical text. */
export const readerNames = [...listReaders, 'dmy', 'mdy', 'comma', 'point', 'percent'] as const;

export type Reader = (typeof readerNames)[number];
