// Describes a read route: its list key, its scope, and the function that computes it. Each file of world/ lists its own.
import type { JsonObject, Records } from './json-literal.ts';
import type { Scope } from './world/scope.ts';

export interface ListRoute {
  readonly kind: 'list';
  readonly route: string;
  readonly list: string;
  readonly perClient: boolean;
  readonly listing: (scope: Scope, withText: boolean) => Records;
  readonly rest?: (scope: Scope) => JsonObject;
  /** Also gives the records as `format=csv`. */
  readonly csv?: boolean;
  /** The list differs with `texto=1`. */
  readonly text?: boolean;
  readonly detail?: (scope: Scope, id: string) => JsonObject | undefined;
}

interface SingleRoute {
  readonly kind: 'single';
  readonly route: string;
  readonly perClient: boolean;
  readonly body: (scope: Scope) => JsonObject;
}

/** `ask`: one body per question. */
interface QuestionRoute {
  readonly kind: 'question';
  readonly route: string;
  readonly perClient: false;
  readonly answer: (scope: Scope, question: string) => JsonObject;
}

export type Route = ListRoute | SingleRoute | QuestionRoute;

type Listed = ListRoute['listing'];
type Rest = ListRoute['rest'];

export function list(
  route: string,
  key: string,
  listing: Listed,
  rest?: Rest,
  more: Partial<ListRoute> = {},
): ListRoute {
  return { kind: 'list', route, list: key, perClient: false, listing, ...(rest ? { rest } : {}), ...more };
}

export function single(route: string, body: SingleRoute['body'], perClient = false): SingleRoute {
  return { kind: 'single', route, perClient, body };
}
