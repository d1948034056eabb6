// Notes every write of every process in a test database, by triggers: who, what, for which run, when.
import type pg from 'pg';

/** Names the process in its sessions, so that its writes are known by that name. */
export function optionsOf(process: string): string {
  return `-c airank_test.process=${process}`;
}

export interface Write {
  readonly n: number;
  readonly process: string;
  readonly application: string;
  /** `slice`, `page`, `run`, `record`. */
  readonly relation: string;
  readonly op: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly account: string;
  readonly stream: string;
  /** Number of the run itself, or of the run that has the slice; records have none. */
  readonly runId: number | null;
  /** Number of the run that had the slice before. */
  readonly runBefore: number | null;
  /** True if the run was given up. */
  readonly isGivenUp: boolean;
  /** The transaction: a record is written together with its slice. */
  readonly xact: string;
  readonly sliceId: number | null;
  readonly pageNo: number | null;
  /** Status of the slice or the run. */
  readonly status: string | null;
  readonly statusBefore: string | null;
}

const install = `
  create schema audit;
  create table audit.write (
    n bigint generated always as identity, at timestamptz not null default clock_timestamp(),
    xact xid8 not null default pg_current_xact_id(), process text, application text, relation text, op text, account text,
    stream text, run_id bigint, run_before bigint, is_given_up boolean not null default false, slice_id bigint,
    page_no integer, status text, status_before text
  );
  create function audit.note() returns trigger language plpgsql security definer as $$
  declare
    kind text := case when tg_table_schema = 'snapshot' then 'record' else tg_table_name end;
    process text := coalesce(nullif(current_setting('airank_test.process', true), ''), '?');
    application text := current_setting('application_name');
    one record := case when tg_op = 'DELETE' then old else new end;
  begin
    if kind = 'slice' then
      insert into audit.write (process, application, relation, op, account, stream, run_id, slice_id, status, status_before, run_before)
      values (process, application, kind, tg_op, one.account, one.stream, one.run_id, one.id, one.status,
        case when tg_op = 'INSERT' then null else old.status end, case when tg_op = 'INSERT' then null else old.run_id end);
    elsif kind = 'page' then
      insert into audit.write (process, application, relation, op, account, stream, run_id, slice_id, page_no)
      select process, application, kind, tg_op || case when one.is_reread then ' REREAD' else '' end, one.account, s.stream,
        s.run_id, one.slice_id, one.page_no
      from sync.slice s where s.account = one.account and s.id = one.slice_id;
    elsif kind = 'run' then
      insert into audit.write (process, application, relation, op, account, run_id, status, is_given_up, status_before)
      values (process, application, kind, tg_op, one.account, one.id, one.status, one.given_up_at is not null,
        case when tg_op = 'INSERT' then null else old.status end);
    else
      insert into audit.write (process, application, relation, op, account, stream)
      values (process, application, kind, tg_op, one.account, one.stream);
    end if;
    return null;
  end
  $$;
  create trigger audit after insert or update or delete on sync.slice for each row execute function audit.note();
  create trigger audit after insert or update or delete on sync.page for each row execute function audit.note();
  create trigger audit after insert or update or delete on sync.run for each row execute function audit.note();
  create trigger audit after insert or update or delete on snapshot.record for each row execute function audit.note();
`;

export async function installAudit(pool: pg.Pool): Promise<void> {
  await pool.query(install);
}

export async function readWrites(pool: pg.Pool): Promise<Write[]> {
  const { rows } = await pool.query<Write>(`
    select n, xact::text, process, application, relation, op, account, stream, run_id as "runId", run_before as "runBefore",
      is_given_up as "isGivenUp", slice_id as "sliceId", page_no as "pageNo", status, status_before as "statusBefore"
    from audit.write order by n`);
  return rows;
}
