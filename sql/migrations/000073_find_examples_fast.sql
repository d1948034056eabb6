-- An example of a type is nearly always the first record looked at; a bitmap collects them all before.
alter function sync.merge_learned() set enable_bitmapscan = off;
