// Collects all faults by name.
import type { Fault } from '../ask.ts';
import type { FaultName } from './names.ts';
import { documentedStates, shapeFaults } from './shapes.ts';
import { walkFaults } from './walks.ts';
import { wireFaults } from './wire.ts';

export const faults: Readonly<Record<FaultName, Fault>> = {
  ...shapeFaults,
  ...documentedStates,
  ...walkFaults,
  ...wireFaults,
};
