// A crawler of an AI service.

export interface Bot {
  readonly name: string;
  readonly operator: string | null;
  /** What it fetches for: to train models, to search, or because a person asked just now. */
  readonly purpose: 'training' | 'search' | 'user' | null;
}

export type FindBot = (userAgent: string | null) => Bot | null;
