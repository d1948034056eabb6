-- Compressed, a page is a tenth: what storing it takes longer, writing and deleting it saves, on a slow disc several times over.
alter table sync.page alter column list set storage extended;
