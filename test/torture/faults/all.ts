// Collects all faults by name.
import type { Fault } from '../ask.ts';
import { documentedStates, shapeFaults } from './shapes.ts';
import { walkFaults } from './walks.ts';
import { wireFaults } from './wire.ts';

const all = { ...shapeFaults, ...documentedStates, ...walkFaults, ...wireFaults };

export type FaultName = keyof typeof all;
export const faults: Readonly<Record<FaultName, Fault>> = all;
