// Name of the database that a demo makes anew each time.

export const demoDatabase = 'airank_demo';
