// Why a mail was not sent, and whether it is worth another try.
import { AirankError } from '../core/errors.ts';

/**
 * `unreachable`: no connection, or it broke; `encryption`: TLS is not offered, or its certificate is not trusted;
 * `login`: user and password are refused; `refused`: the server does not take the mail; `message`: it cannot be written.
 */
export type MailFailure = 'unreachable' | 'encryption' | 'login' | 'refused' | 'message';

export class MailError extends AirankError {
  readonly failure: MailFailure;
  /** False: the same mail would fail again. */
  readonly worthRetry: boolean;

  constructor(message: string, failure: MailFailure, worthRetry: boolean) {
    super(message);
    this.failure = failure;
    this.worthRetry = worthRetry;
  }
}
