// One slice from claim to publish.
import { RetryableError, SkippableError, UnavailableError, ValidationError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { type ClientPlace, clientPathsOf } from '../../mapping/mapping-rows.ts';
import { LostPagesError } from '../../publish/open-publish.ts';
import { type Published, publish } from '../../publish/publish.ts';
import { type PublishInput, UnfitKeyError } from '../../publish/publish-input.ts';
import { SeenTypes, typesSeenOn } from '../../store/fields/seen-types.ts';
import type { RecordKey } from '../../store/pages/incoming.ts';
import { hadReplacedValues } from '../../store/pages/pages.ts';
import {
  alikeInWalk,
  type FixedKeys,
  findRecordKey,
  firstRecords,
  fixRecordKey,
  isCandidate,
  isKeyOfAll,
  keyText,
  suggestRecordKey,
} from '../../store/pages/record-keys.ts';
import { provenClientKey } from '../../store/scopes/client-proof.ts';
import { countUnkeyed } from '../../store/scopes/clients.ts';
import {
  carryDetails,
  detailsToFetch,
  detailValues,
  findUnpublished,
  forgetRefusedBut,
  forgetRefusedOfGone,
  noteRefused,
  readRefusedDates,
} from '../../store/scopes/details.ts';
import { arePagesKeyed, comparePages } from '../../store/scopes/incremental.ts';
import type { KnownSlice } from '../../store/scopes/known-slice.ts';
import type { PlannedSlice } from '../../store/slices/slices.ts';
import { UnconfirmedLossError } from '../../validation/judge-loss.ts';
import { isLifted } from '../../validation/rules.ts';
import { type AskedClient, clientFieldsOf, valueFieldsOf } from '../../validation/subjects.ts';
import type { PlannedWalk } from '../plan/plan.ts';
import { isArchive } from '../plan/slice-cost.ts';
import { settleShifted } from '../walk/settle-shifted.ts';
import { askDamagedOnceMore, type Walked, type WalkInput } from '../walk/walk.ts';
import { walkAnew, walkLost, walkSlice } from '../walk/walk-slice.ts';
import type { SliceRun } from './account-state.ts';
import { isDayOver } from './day-watch.ts';
import type { InTurn } from './limits.ts';

/** Adds to a message that no identifier was found the fields that look like one, to choose from. */
export function alikeText(fields: readonly string[]): string {
  return fields.length === 0 ? '' : `, perhaps to one of ${fields.join(', ')}`;
}

/**
 * Checks that clients have their fixed identifier, which only a user can change. A few clients without it are published
 * with the others once enough run dates showed them like that.
 * @throws ValidationError where clients lack the fixed one: none of them counts as gone
 */
async function expectClientKey(
  { db, slice, stream, history }: WalkInput,
  fixed: RecordKey | undefined,
): Promise<void> {
  if (fixed === undefined || fixed.length === 0 || !isCandidate(fixed, stream)) return;
  const { clients, unkeyed } = await countUnkeyed(db, slice, fixed);
  if (unkeyed === 0) return;
  if (unkeyed * 2 < clients && isLifted('client_keys', history.datesBefore('client_keys'))) return;
  const alike = alikeText(await alikeInWalk(db, slice, stream));
  throw new ValidationError(
    `Expected every client to have an identifier in ${keyText(fixed)}, got ${unkeyed} of ${clients} without one. Nothing was published and ` +
      `no client counts as gone. If the field has another name now, set streams.${stream.name}.keys in airank.config.yaml${alike}`,
    { rule: 'client_keys' },
    { account: slice.account, stream: stream.name, route: stream.route },
  );
}

/**
 * Fixes the identifier of clients by the answers of the service, if no list of names knows it. If none is proved, the
 * next run date asks again.
 */
async function fixProvenClientKey(
  { run, slice, walk: { stream } }: SliceWork,
  fixed: RecordKey | undefined,
): Promise<void> {
  const asked = run.question.streams.find(
    ({ perClient, source, format }) => perClient && source.kind === 'walk' && format === 'json',
  );
  if (asked === undefined || stream.keysConfigured || (fixed !== undefined && fixed.length > 0)) return;
  const { db, client } = run;
  const path = await provenClientKey(await firstRecords(db, slice), async (clientId) => {
    const request = { stream: stream.name, route: asked.route, query: asked.query, clientId };
    const how = { withKey: true, accept: 'json', purpose: 'job', priority: 4 } as const;
    try {
      return (await client.get({ ...request, ...how }, run.ends.signal)).json;
    } catch (error) {
      const isAnswer = [UnavailableError, SkippableError, RetryableError].some(
        (kind) => error instanceof kind,
      );
      if (isAnswer) return undefined;
      throw error;
    }
  });
  if (path === undefined || !(await isKeyOfAll(db, slice, [path], stream))) return;
  await fixRecordKey(db, slice, [path], fixed);
  run.state.warning(
    slice,
    `Clients are identified by ${keyText([path])}, because the API answered for two clients that were asked for by it`,
  );
}

/** Longer lists are not walked twice for a few missing records. */
const longestSecondWalk = 30;

interface SliceWork {
  readonly run: SliceRun;
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
  readonly known: KnownSlice<ClientPlace>;
  readonly inTurn: InTurn;
  /** Reserves requests that the slice can do without; false if others need them. */
  spare(requests: number): boolean;
  onPage(): void;
}

/**
 * Walks and publishes a claimed slice.
 * @throws ValidationError when the answer contradicts what is stored, and is not confirmed yet
 */
export async function syncSlice(work: SliceWork): Promise<Published> {
  const { run, slice } = work;
  const { db, ends } = run;
  const { runDate, streams } = run.question;
  const { stream } = work.walk;
  const { keys } = work.known;
  const details = detailsOf(
    work,
    keys.get(stream.source.kind === 'details' ? stream.source.of : '')?.recordKey,
  );
  const isPlanned = streams.some(({ name }) => name === details?.of);
  const unpublished = details && (await findUnpublished(db, details, isPlanned));
  if (details !== undefined && unpublished !== undefined) {
    throw new SkippableError(
      unpublished === 'walked_by_another'
        ? `Another run is loading ${details.of} now, and their details are loaded after them. ` +
            'Wait until it has ended (airank status shows it), then run airank sync again'
        : `Expected ${details.of} of ${runDate} to be complete before their details are loaded, got them incomplete. ` +
            `Run airank sync --run-date ${runDate} again: it loads both`,
      { account: slice.account, stream: stream.name },
    );
  }
  const values = details === undefined ? valuesOf(work) : await detailsToFetch(db, details);
  const others =
    details !== undefined && values.length > 0 ? await detailValues(db, details) : new Set(values);
  const input = await walkInput(work, keys.get(stream.name), values, others);
  const first = await walkSlice(input, work.known.checkpoint);
  const fixed = keys.get(stream.name)?.recordKey;
  const suggested =
    first.listKey === undefined || fixed !== undefined
      ? undefined
      : await suggestRecordKey(db, slice, stream);
  const settle = async (walk: Walked) =>
    walk.listKey === undefined
      ? { walked: walk, storesOnceBut: undefined }
      : await settleShifted(input, walk, suggested ?? fixed);
  const settled = await settle(first);
  if (work.walk.phase === 'clients') {
    if (suggested === undefined && first.listKey !== undefined) await fixProvenClientKey(work, fixed);
    await expectClientKey(input, fixed);
  }
  const publishWalk = async ({ walked, storesOnceBut }: typeof settled, lackedBefore?: readonly string[]) => {
    const publishing = { ...publishInput(work, walked, { details, lackedBefore }), storesOnceBut };
    if (isDayOver(ends)) throw ends.signal.reason;
    if (walked.listKey === undefined) return await publish(db, { ...publishing, key: [] });
    const fitting = suggested && (await publishIfFits(db, { ...publishing, key: suggested, fixesKey: true }));
    if (fitting !== undefined) return fitting;
    // The key of the clients may just have been replaced.
    const isFixed = work.walk.phase !== 'clients' && fixed !== undefined && isCandidate(fixed, stream);
    const key = isFixed
      ? fixed
      : await findRecordKey(db, slice, { ...stream, storesOnce: storesOnceBut !== undefined });
    return await publish(db, { ...publishing, key: key ?? [] });
  };
  const published = await work
    .inTurn(() => publishWalk(settled))
    .catch(async (error: unknown) => {
      const isLost = error instanceof LostPagesError;
      if (!isLost && !(error instanceof UnconfirmedLossError)) throw error;
      const again = await settle(
        isLost
          ? await walkLost({ ...input, seen: newTypes(work) })
          : { ...(await walkAnew(input)), refused: [] },
      );
      return await work.inTurn(() => publishWalk(again, isLost ? undefined : error.lacking));
    });
  typesSeenOn(db, runDate, stream.name).add(input.seen);
  if (published.warning !== undefined) input.onConfirmed(published.warning);
  return published;
}

const newTypes = ({ run, walk }: SliceWork) =>
  new SeenTypes(typesSeenOn(run.db, run.question.runDate, walk.stream.name));

async function walkInput(
  work: SliceWork,
  keys: FixedKeys | undefined,
  values: readonly string[],
  others: ReadonlySet<string>,
): Promise<WalkInput> {
  const { run, slice, known, onPage } = work;
  const { history } = known;
  const { db, ends, state } = run;
  const { stream, firstWalkLimit, isProbe } = work.walk;
  const recordsOf = stream.source.kind === 'details' ? stream.source.of : stream.name;
  return {
    db,
    slice,
    history,
    signal: ends.signal,
    stop: ends.stop,
    onPage,
    onConfirmed: (warning) => state.warning(slice, warning),
    client: askDamagedOnceMore(run.client, () => hadReplacedValues(db, slice)),
    stream,
    firstWalkLimit,
    isProbe,
    fixedList: keys?.listKey,
    seen: newTypes(work),
    values,
    refusedDates:
      stream.source.kind === 'walk' ? new Map() : await readRefusedDates(db, slice, slice.runDate),
    priority: stream.priority === 'high' ? 4 : 6,
    asked: slice.clientId === '' ? undefined : askedClient(work),
    askedRecord: {
      stream: recordsOf,
      others,
      knownFields: new Set(
        history.samples.flatMap((sample, index) =>
          valueFieldsOf(sample, recordsOf, history.sampleKeys[index] ?? ''),
        ),
      ),
    },
    endsIncremental: incrementalEndOf(work, keys),
  };
}

function askedClient({ run, slice, known: { history, clientPlaces } }: SliceWork): AskedClient {
  const client = { id: slice.clientId, mapped: clientPathsOf(slice.stream, clientPlaces) };
  const fields = history.samples.flatMap((sample) => clientFieldsOf(sample, client));
  return { ...client, others: run.state.clientIds, knownFields: new Set(fields) };
}

interface Beside {
  readonly details: ReturnType<typeof detailsOf>;
  readonly lackedBefore: readonly string[] | undefined;
}

function publishInput(
  work: SliceWork,
  { isIncremental, lastPage, refused }: Walked,
  { details, lackedBefore }: Beside,
) {
  const { run, slice } = work;
  const { stream, leastPages, fullPages } = work.walk;
  const rule = { leastPages };
  const isList = stream.source.kind === 'walk' && stream.list.kind !== 'none';
  const carry = async (tx: Executor): Promise<string | undefined> => {
    const failure = await noteRefused(tx, slice, refused);
    if (details === undefined) await forgetRefusedBut(tx, slice, valuesOf(work));
    else {
      await carryDetails(tx, details);
      await forgetRefusedOfGone(tx, details);
    }
    return failure;
  };
  return {
    stream: slice.stream,
    account: slice.account,
    clientId: slice.clientId,
    sliceId: slice.sliceId,
    runId: slice.runId,
    pages: stream.source.kind !== 'walk' ? 'single' : isIncremental ? 'incremental' : 'chain',
    lastPage,
    ...(isArchive(stream) ? { archive: { isIncremental, rule, fullPages } } : {}),
    ...(stream.source.kind === 'walk' ? {} : { carry }),
    ...(isList
      ? {
          loss: {
            thresholds: stream.vanishAbove,
            isArchive: stream.shape === 'archive',
            isClients: work.walk.phase === 'clients',
            isAccepted: run.question.acceptVanished?.has(stream.name) ?? false,
            lackedBefore,
            mayWalkAgain: (pages: number) => pages <= longestSecondWalk && work.spare(pages),
          },
        }
      : {}),
  } as const;
}

async function publishIfFits(db: Executor, input: PublishInput): Promise<Published | undefined> {
  try {
    return await publish(db, input);
  } catch (error) {
    if (error instanceof UnfitKeyError) return undefined;
    throw error;
  }
}

/**
 * Returns when an incremental refresh may end: after its least pages, once the last one holds nothing new or changed.
 * Undefined if every page is walked: without a key, no record can be matched with a stored one.
 */
function incrementalEndOf(work: SliceWork, keys: FixedKeys | undefined) {
  const { run, slice } = work;
  const { db } = run;
  const { runDate } = slice;
  const { stream, walk, leastPages } = work.walk;
  const key = keys?.recordKey;
  if (walk !== 'incremental' || slice.published) return undefined;
  if (key === undefined || key.length === 0 || !isCandidate(key, stream)) return undefined;
  let keyed = true;
  return async (pageNo: number): Promise<boolean> => {
    if (!keyed || pageNo < leastPages) return false;
    const question = { slice, runDate, key };
    const last = await comparePages(db, question, pageNo);
    if (last.some((page) => page.fresh > 0)) return false;
    // A record that came twice, or without its key, may hide a stored one, so the walk goes on to the end.
    keyed = await arePagesKeyed(db, question);
    return keyed;
  };
}

function detailsOf(work: SliceWork, key: readonly (readonly string[])[] | undefined) {
  const { source, name } = work.walk.stream;
  if (source.kind !== 'details') return undefined;
  if (key !== undefined && key.length === 0) {
    throw new SkippableError(
      `Expected records of ${source.of} to have an identifier by which ${name} can be requested, got none. ` +
        `Set streams.${source.of}.keys in airank.config.yaml`,
      { account: work.slice.account, stream: name },
    );
  }
  return { details: work.slice, of: source.of, key: key ?? [], runDate: work.slice.runDate };
}

function valuesOf({ run, walk }: SliceWork): readonly string[] {
  const { kind } = walk.stream.source;
  if (kind === 'questions') return run.values.questions;
  return kind === 'public' ? run.values.publicIds : [];
}
