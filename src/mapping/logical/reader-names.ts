// The readers of a path: what its text says about how values are written, or which one of a list counts.

/** Readers that turn a list into one value. */
export const listReaders = ['first', 'last', 'join', 'count', 'sum'] as const;

/** All readers, in the order of the canonical text. */
export const readerNames = [...listReaders, 'dmy', 'mdy', 'comma', 'point', 'percent'] as const;

export type Reader = (typeof readerNames)[number];
