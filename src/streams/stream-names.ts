// The names of the catalog's streams as a type, for authors of job files.
import type { basicSpecs } from './basic.ts';
import type { intelligenceSpecs } from './intelligence.ts';

/** `agent/runs` → `agent_runs`, as `streamName` of define.ts does it. */
type Underscored<Route extends string> = Route extends `${infer Before}/${infer After}`
  ? `${Underscored<Before>}_${Underscored<After>}`
  : Route extends `${infer Before}-${infer After}`
    ? `${Underscored<Before>}_${Underscored<After>}`
    : Route;

type NameIn<Of> = Of extends { name: infer Name extends string }
  ? Name
  : Of extends { route: infer Route extends string }
    ? Underscored<Route>
    : never;

export type StreamName = NameIn<(typeof basicSpecs | typeof intelligenceSpecs)[number]>;
