// From which columns of which relations a column of a stored query takes its value: through subqueries, CTEs, unions,
// joins, functions and grouping.

import { isNode, nodesOf, type TreeNode, type TreeValue } from './node-tree.ts';
import { combine, isConstant, type Origin } from './origin.ts';

/** What is outside of the query. */
export interface Surroundings {
  /** What a column of a relation is made from; `column` counts from 1. */
  readonly relation: (oid: string, column: number) => Origin;
  /** Functions that make something of some nulls among their arguments. */
  readonly lenient: ReadonlySet<string>;
}

const nothing = combine('any', []);

/** Queries from the outermost to the one that is read: a column may be of any of them. */
type Levels = readonly TreeNode[];

/** Kinds of entries of a range table (RTEKind). */
const kinds = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', cte: '6', group: '9' };

/** @param column counts from 1 */
export function queryOrigin(query: TreeNode, column: number, surroundings: Surroundings): Origin {
  return targetOrigin([query], column, { ...surroundings, open: new Set() });
}

interface Reading extends Surroundings {
  /** Columns that are being read: a recursive query comes back to itself. */
  readonly open: Set<string>;
}

function targetOrigin(levels: Levels, column: number, reading: Reading): Origin {
  const query = levels.at(-1);
  if (query === undefined) return nothing;
  const parts = branches(query.fields['setOperations']);
  if (parts.length > 0) {
    return combine(
      'each',
      parts.map((part) => entryOrigin(levels, part, column, reading)),
    );
  }
  const target = nodesOf(query.fields['targetList']).find((one) => Number(one.fields['resno']) === column);
  return valueOrigin(target?.fields['expr'], levels, reading);
}

/** Places in the range table of what a union puts together. */
function branches(value: TreeValue | undefined): readonly number[] {
  if (!isNode(value)) return [];
  if (value.type === 'RANGETBLREF') return [Number(value.fields['rtindex'])];
  return [...branches(value.fields['larg']), ...branches(value.fields['rarg'])];
}

/** A column of an entry of the innermost query's range table. */
function entryOrigin(levels: Levels, place: number, column: number, reading: Reading): Origin {
  const entry = nodesOf(levels.at(-1)?.fields['rtable'])[place - 1];
  if (entry === undefined || column < 1) return nothing;
  const { fields } = entry;
  const listed = (list: TreeValue | undefined) => (Array.isArray(list) ? list[column - 1] : undefined);
  switch (fields['rtekind']) {
    case kinds.relation:
      return reading.relation(String(fields['relid']), column);
    case kinds.subquery:
      return isNode(fields['subquery'])
        ? targetOrigin([...levels, fields['subquery']], column, reading)
        : nothing;
    case kinds.join:
      return valueOrigin(listed(fields['joinaliasvars']), levels, reading);
    case kinds.group:
      return valueOrigin(listed(fields['groupexprs']), levels, reading);
    case kinds.function:
      return valueOrigin(fields['functions'], levels, reading);
    case kinds.values:
      return valueOrigin(fields['values_lists'], levels, reading);
    case kinds.cte:
      return cteOrigin(entry, levels, column, reading);
    default:
      return nothing;
  }
}

function cteOrigin({ fields }: TreeNode, levels: Levels, column: number, reading: Reading): Origin {
  const owners = levels.slice(0, levels.length - Number(fields['ctelevelsup']));
  const cte = nodesOf(owners.at(-1)?.fields['cteList']).find(
    (one) => one.fields['ctename'] === fields['ctename'],
  );
  const query = cte?.fields['ctequery'];
  const key = `${owners.length} ${fields['ctename']} ${column}`;
  if (!isNode(query) || reading.open.has(key)) return nothing;
  reading.open.add(key);
  const origin = targetOrigin([...owners, query], column, reading);
  reading.open.delete(key);
  return origin;
}

function valueOrigin(value: TreeValue | undefined, levels: Levels, reading: Reading): Origin {
  const of = (part: TreeValue | undefined) => valueOrigin(part, levels, reading);
  if (Array.isArray(value)) return combine('all', value.map(of));
  if (!isNode(value)) return nothing;
  const { type, fields } = value;
  const every = (list: TreeValue | undefined) => nodesOf(list).map(of);
  switch (type) {
    case 'VAR': {
      const own = levels.slice(0, levels.length - Number(fields['varlevelsup']));
      return entryOrigin(own, Number(fields['varno']), Number(fields['varattno']), reading);
    }
    case 'COALESCE':
    case 'COALESCEEXPR':
    case 'MINMAX':
    case 'MINMAXEXPR':
      return combine('any', every(fields['args']));
    case 'BOOLEXPR':
      return combine(fields['boolop'] === 'or' ? 'any' : 'all', every(fields['args']));
    case 'FUNCEXPR':
      return combine(reading.lenient.has(String(fields['funcid'])) ? 'any' : 'all', every(fields['args']));
    case 'NULLIFEXPR':
      return of(nodesOf(fields['args'])[0]);
    case 'CASE':
    case 'CASEEXPR': {
      const whens = nodesOf(fields['args']);
      const results = combine('any', [
        ...whens.map((when) => of(when.fields['result'])),
        of(fields['defresult']),
      ]);
      // Constants by condition: the conditions are what is read.
      return isConstant(results)
        ? combine(
            'any',
            whens.map((when) => of(when.fields['expr'])),
          )
        : results;
    }
    case 'SUBLINK':
      return isNode(fields['subselect'])
        ? targetOrigin([...levels, fields['subselect']], 1, reading)
        : nothing;
    case 'AGGREF':
      return combine('all', every(fields['args']));
    default:
      return combine('all', Object.values(fields).filter(isExpression).map(of));
  }
}

const isExpression = (value: TreeValue) => Array.isArray(value) || isNode(value);
