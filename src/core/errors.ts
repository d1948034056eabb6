// Errors cut by what the caller can do about them. Classified once, by status or code, never by text.

/** Run dates in a row with the same answer that confirm it, the newest included. */
export const datesToConfirm = 3;
/** Minutes between two walks that prove a loss: a fault lasts for seconds or minutes. */
export const minutesBetweenLooks = 30;

/** Place of a failure. Never holds a key, a header or a query string. */
export interface ErrorPlace {
  readonly account?: string | undefined;
  readonly stream?: string | undefined;
  readonly route?: string | undefined;
  readonly clientId?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  /** Requests spent so far: 1 at the first try that reached the server. */
  readonly attempt?: number | undefined;
}

export abstract class AirankError extends Error {
  readonly place: ErrorPlace;

  constructor(message: string, place: ErrorPlace = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.place = place;
  }
}

/** Stop the account: nothing else on it can succeed (a refused key, a wrong address). */
export class FatalError extends AirankError {}

/** Worth another try after a pause (5xx, network, broken body). Thrown on when the tries are used up. */
export class RetryableError extends AirankError {}

/** This slice fails, the run goes on (a pagination loop, a list that cannot be found). */
export class SkippableError extends AirankError {}

/** Rule by which an answer is refused; src/validation/rules.ts has the reasons and the consequences. */
export type ValidationRule =
  | 'no_data'
  | 'unusual'
  | 'other_client'
  | 'refused'
  | 'vanished'
  | 'client_keys'
  | 'new_keys'
  | 'loop'
  | 'page_limit';

export interface ValidationDetails {
  readonly rule: ValidationRule;
  readonly saysError?: boolean;
  readonly lacking?: readonly string[];
  readonly found?: number;
}

/** An answer with status 200 that contradicts what is stored, and is not confirmed yet. */
export class ValidationError extends SkippableError {
  readonly details: ValidationDetails;

  constructor(message: string, details: ValidationDetails, place: ErrorPlace = {}) {
    super(message, place);
    this.details = details;
  }
}

/** The route answers 403 or 404: the account does not have it. The run goes on. */
export class UnavailableError extends AirankError {}

/** The day's requests are used up. The slice keeps its checkpoint and is deferred. */
export class BudgetExhaustedError extends AirankError {
  readonly until: Date;

  constructor(message: string, until: Date, place: ErrorPlace = {}) {
    super(message, place);
    this.until = until;
  }
}

/** The user's own mistake in a setting, flag or file: every fault at once, no stack, exit code 2. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** The warehouse cannot be used as it is: unreachable, too old, without rights. Says the fix. Exit code 1. */
export class WarehouseError extends AirankError {}

/** The warehouse has the schema of another version. Says which of the two to bring up to date. Exit code 2. */
export class SchemaError extends WarehouseError {}

/** The innermost message of any thrown thing, for one line of output. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
