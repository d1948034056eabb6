// Every world: servers with names, formats and nestings of their own, each a table beside this file.

import { type World, worldOf } from './table.ts';
import { pathIn, tongues } from './tongues.ts';

export const englishWorld = worldOf('english');
export const spanishWorld = worldOf('spanish');

const contrastWorlds: readonly World[] = tongues.map((tongue) =>
  worldOf('contrast', (path) => pathIn(tongue, path), `contrast-${tongue}`),
);

export const worlds: readonly World[] = [
  spanishWorld,
  englishWorld,
  worldOf('norte'),
  worldOf('atlas'),
  ...contrastWorlds,
];
