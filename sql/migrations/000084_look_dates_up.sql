-- The generated views are made anew: they look the dates of every version up, and keep none in mind for the next.
update sync.source set viewed_at = null;
