// Every world.
import { atlasWorld } from './atlas/atlas-world.ts';
import { contrastWorlds } from './contrast/contrast-worlds.ts';
import { englishWorld } from './english/english-world.ts';
import { mixedWorld } from './mixed/mixed-world.ts';
import { norteWorld } from './norte/norte-world.ts';
import { spanishWorld } from './spanish/spanish-world.ts';
import type { World } from './world.ts';

export const worlds: readonly World[] = [
  spanishWorld,
  englishWorld,
  mixedWorld,
  norteWorld,
  atlasWorld,
  ...contrastWorlds,
];
