import pg from 'pg';
import { measureColumns } from './test/bench/views/columns.ts';
const pool = new pg.Pool({connectionString: process.argv[2], max:1});
await measureColumns(pool, '^bi_history\\.', console.log);
await pool.end();
