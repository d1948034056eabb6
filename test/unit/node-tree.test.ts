import { expect, test } from 'vitest';
import { isNode, nodesOf, parseNodeTree } from '../../src/warehouse/views/node-tree.ts';

test('nodes, lists, nothing and escaped names are read', () => {
  const tree = parseNodeTree(
    '({QUERY :commandType 1 :cteList <> :targetList ({TARGETENTRY :resno 1 :resname two\\ words} {TARGETENTRY :resno 2 :resname \\<>})})',
  );
  const [query] = nodesOf(tree);
  expect(query?.type).toBe('QUERY');
  expect(query?.fields['cteList']).toBeNull();
  expect(nodesOf(query?.fields['targetList']).map(({ fields }) => fields['resname'])).toEqual([
    'two words',
    '<>',
  ]);
});

test('the bytes of a constant do not end its node', () => {
  const [constant, variable] = nodesOf(
    parseNodeTree('({CONST :constlen 4 :constvalue 4 [ 1 0 0 0 ]} {VAR :varnullingrels (b 1) :varno 2})'),
  );
  expect(constant?.fields).toEqual({ constlen: '4', constvalue: '4' });
  expect(variable?.fields['varno']).toBe('2');
});

test('a list of names is no list of nodes', () => {
  expect(nodesOf(parseNodeTree('("a" "b\\ c")'))).toEqual([]);
  expect(isNode(parseNodeTree('<>'))).toBe(false);
});
