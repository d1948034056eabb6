// Metabase, or what stands at its address, does not do what was asked. Says the fix. Exit code 1.
import { AirankError } from '../../core/errors.ts';

export class MetabaseError extends AirankError {}
