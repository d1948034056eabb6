// The list of all views in docs/views.md, made from the files of the views.
import { catalogue, commonColumns, viewGroups } from '../../src/db/code/catalogue.ts';

/** A view with a history stands in the list once. */
export function viewsMarkdown(): string {
  const views = catalogue();
  const histories = new Set(views.flatMap(({ schema, name }) => (schema === 'bi_history' ? [name] : [])));
  const listed = views.filter(({ schema, name }) => schema !== 'bi_history' || !views.some(isNow(name)));
  const sections = Object.entries(viewGroups).map(([key, question]) => {
    const group = listed.filter((view) => view.group === key);
    const rows = group.map(({ view, schema, name, row, question: asked, columns }) => {
      const own = columns.flatMap((column) => (column.name in commonColumns ? [] : [`\`${column.name}\``]));
      const history = schema === 'bi' && histories.has(name) ? ' Has a history.' : '';
      return `| \`${view}\` | ${asked} A row is ${row}.${history} | ${own.join(', ')} |`;
    });
    return [`### ${question}`, '', '| view | answers | columns |', '|---|---|---|', ...rows, ''].join('\n');
  });
  return `${sections.join('\n')}`;
}

const isNow = (wanted: string) => (view: { schema: string; name: string }) =>
  view.schema === 'bi' && view.name === wanted;
