-- The curated views ask each time whether a client ever left the list of clients.
create index slice_by_departure on sync.slice (account, run_date) where stream = 'clientes' and vanished > 0;
