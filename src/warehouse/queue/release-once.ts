// The queue's library gives its listening connection back a second time where the database goes away while it stops;
// pg throws then, out of nobody's reach, and the process would end.
import type pg from 'pg';

type Connected = Parameters<pg.Pool['connect']>[0];

/** The same pool, but whose connections may be given back again: the second time does nothing. */
export function releaseOnce(pool: pg.Pool): pg.Pool {
  const connect = (given?: Connected) =>
    given === undefined
      ? pool.connect()
      : pool.connect((error, client, done) => {
          let released = false;
          given(error, client, (reason?: unknown) => {
            if (released) return;
            released = true;
            done(reason);
          });
        });
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
