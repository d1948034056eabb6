// How a Metabase gives back what it was given: without passwords, with ids of its own.

export type Row = Record<string, unknown> & { id: number };

/** The password is never given back. */
export function hidden(row: Row): Row {
  return { ...row, details: { ...(row['details'] as object), password: '**MetabasePass**' } };
}

/** Tabs and cards that are new get ids of their own. */
export function numbered(body: Record<string, unknown>, nextId: () => number): Record<string, unknown> {
  if (!('dashcards' in body)) return body;
  const { tabs, dashcards } = body as { tabs: Row[]; dashcards: Row[] };
  const ids = new Map(tabs.map(({ id }) => [id, id < 0 ? nextId() : id]));
  return {
    ...body,
    tabs: tabs.map((tab) => ({ ...tab, id: ids.get(tab.id) })),
    dashcards: dashcards
      .map((card) => ({
        ...card,
        id: card.id < 0 ? nextId() : card.id,
        dashboard_tab_id: ids.get(Number(card['dashboard_tab_id'])) ?? null,
      }))
      .reverse(),
  };
}
