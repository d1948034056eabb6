// Whether a Metabase is there that is new enough, and whether the key may do what is needed.
import { properties, user } from './answers.ts';
import { MetabaseError } from './metabase-error.ts';
import type { MetabaseHttp } from './metabase-http.ts';

/** The first with keys for the API, tabs and a trash. */
const oldestMinor = 50;

/** @throws MetabaseError before the key is sent anywhere that is no Metabase */
export async function checkMetabase(http: MetabaseHttp): Promise<void> {
  const { version } = await http.look('session/properties', properties);
  const { is_superuser: isAdmin } = await refuseOld(version.tag, () => http.get('user/current', user));
  if (isAdmin !== true) {
    throw new MetabaseError(
      'Expected the key to be one of the group Administrators, got one of another group. ' +
        'Make one under Admin settings, Authentication, API keys, and set AIRANK_METABASE_KEY',
    );
  }
}

/** A version that is not of the usual form, as of a development build, is taken as new. */
async function refuseOld<Result>(
  tag: string | null | undefined,
  next: () => Promise<Result>,
): Promise<Result> {
  const minor = /^v[01]\.(\d+)/.exec(tag ?? '')?.[1];
  if (minor === undefined || Number(minor) >= oldestMinor) return await next();
  throw new MetabaseError(`Expected Metabase 0.${oldestMinor} or newer, got ${tag}. Upgrade it`);
}
