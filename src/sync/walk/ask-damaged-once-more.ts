// A body with invalid UTF-8 may have been damaged on its way: it is asked for once more, once a slice, before it is
// published with the replacement counted. Slices whose bodies always come so are not asked for twice.
import type { ApiClient } from '../../api/client.ts';

/** @param isUsual whether the slice was published with replaced values before; asked at the first damage only */
export function askDamagedOnceMore(client: ApiClient, isUsual: () => Promise<boolean>): ApiClient {
  let asked = false;
  return {
    ...client,
    get: async (request, signal) => {
      const first = await client.get(request, signal);
      if (first.replacedBytes === 0 || asked) return first;
      asked = true;
      if (await isUsual()) return first;
      const second = await client.get(request, signal);
      const better = second.replacedBytes <= first.replacedBytes ? second : first;
      return { ...better, attempts: first.attempts + second.attempts };
    },
  };
}
