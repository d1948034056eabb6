// Scores of a mutation run, per file. Pure.

export type MutantStatus =
  | 'Killed'
  | 'Survived'
  | 'NoCoverage'
  | 'Timeout'
  | 'CompileError'
  | 'RuntimeError'
  | 'Ignored'
  | 'Pending';

/** What is read of a report in the common format of mutation tools. */
export interface Report {
  readonly files: Readonly<
    Record<string, { readonly mutants: readonly { readonly status: MutantStatus }[] }>
  >;
}

export interface FileScore {
  readonly file: string;
  /** Percent of the mutants that the tests noticed; undefined: it has none. */
  readonly score: number | undefined;
  readonly mutants: number;
  readonly killed: number;
  readonly timeouts: number;
  readonly survived: number;
  /** No unit test runs the code. */
  readonly untested: number;
}

/** One a file, in the order of their names. What cannot run (an error of the compiler) counts nowhere. */
export function scoresOf(report: Report): FileScore[] {
  return Object.entries(report.files)
    .map(([file, { mutants }]) => {
      const count = (status: MutantStatus) => mutants.filter((mutant) => mutant.status === status).length;
      const [killed, timeouts] = [count('Killed'), count('Timeout')];
      const [survived, untested] = [count('Survived'), count('NoCoverage')];
      const all = killed + timeouts + survived + untested;
      const score = all === 0 ? undefined : ((killed + timeouts) / all) * 100;
      return { file, score, mutants: all, killed, timeouts, survived, untested };
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Files of which the tests notice too little, or nothing can be said. */
export function tooWeak(scores: readonly FileScore[], leastScore: number): FileScore[] {
  return scores.filter(({ score }) => score === undefined || score < leastScore);
}
