// The table of wanted outcomes: every fault on every kind of route it can meet. It is written from what is
// promised, and says nothing of how the product keeps it.
import { wantedBodies } from './wanted/bodies.ts';
import { wantedLists } from './wanted/lists.ts';
import { wantedWalks } from './wanted/walks.ts';
import { wantedWire } from './wanted/wire.ts';
import type { Wanted } from './wanted-types.ts';

export const wanted: readonly Wanted[] = [...wantedBodies, ...wantedLists, ...wantedWalks, ...wantedWire];
