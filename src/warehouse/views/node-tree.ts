// Reads pg_node_tree, the text in which Postgres stores the query of a view: nodes `{TYPE :field value}`, lists in
// parentheses, `<>` for nothing. Only the shape is read here. Fields that come and go between majors do no harm.

export interface TreeNode {
  readonly type: string;
  readonly fields: Readonly<Record<string, TreeValue>>;
}

export type TreeValue = TreeNode | readonly TreeValue[] | string | null;

export function isNode(value: TreeValue | undefined): value is TreeNode {
  return value !== null && typeof value === 'object' && 'type' in value;
}

/** The nodes of a list; none of what is no list. */
export function nodesOf(value: TreeValue | undefined): readonly TreeNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function parseNodeTree(text: string): TreeValue {
  const tokens = text.match(/[(){}]|(?:\\.|[^\s(){}\\])+/gs) ?? [];
  let at = 0;
  const next = () => tokens[at++];
  const node = (): TreeNode => {
    const type = next() ?? '';
    const fields: Record<string, TreeValue> = {};
    let name = '';
    while (at < tokens.length && tokens[at] !== '}') {
      if (tokens[at]?.startsWith(':')) {
        name = next()?.slice(1) ?? '';
        continue;
      }
      const value = read();
      // The bytes of a constant come after their number under the same name: the number stands for them.
      if (!(name in fields)) fields[name] = value;
    }
    at += 1;
    return { type, fields };
  };
  const list = (): TreeValue[] => {
    const values: TreeValue[] = [];
    while (at < tokens.length && tokens[at] !== ')') values.push(read());
    at += 1;
    return values;
  };
  const read = (): TreeValue => {
    const token = next();
    if (token === '{') return node();
    if (token === '(') return list();
    return token === undefined || token === '<>' ? null : token.replaceAll(/\\(.)/gs, '$1');
  };
  return read();
}
