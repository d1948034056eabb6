// The readers of a path: they say how values are written, or which element of a list counts.

/** Readers that turn a list into one value. */
export const listReaders = ['first', 'last', 'join', 'count', 'sum'] as const;

/** All readers, in the order of the canonical text. */
export const readerNames = [...listReaders, 'dmy', 'mdy', 'comma', 'point', 'percent'] as const;

export type Reader = (typeof readerNames)[number];
