// npm run bench [-- records in thousands]: prints ratios, asserts nothing.
import { withBenchDatabase } from './bench-database.ts';
import { measurePipeline } from './pipeline.ts';

const thousands = process.argv
  .slice(2)
  .map(Number)
  .filter((n) => n > 0);
for (const size of thousands.length > 0 ? thousands : [100, 1000]) {
  const figures = await withBenchDatabase((url) =>
    measurePipeline(url, Math.max(Math.round((size * 1000) / 800), 1)),
  );
  const floor = figures.fetchSeconds + figures.copySeconds;
  const perSecond = (seconds: number) => Math.round(figures.records / seconds).toLocaleString('en-US');
  process.stdout.write(
    [
      `records ${figures.records.toLocaleString('en-US')}`,
      `  floor: fetch ${figures.fetchSeconds.toFixed(2)} s + copy ${figures.copySeconds.toFixed(2)} s = ${perSecond(floor)} records/s`,
      `  sync, all new:      ${figures.firstSeconds.toFixed(2)} s = ${perSecond(figures.firstSeconds)} records/s, ${Math.round((floor / figures.firstSeconds) * 100)} % of the floor`,
      `  sync, none changed: ${figures.againSeconds.toFixed(2)} s = ${perSecond(figures.againSeconds)} records/s, ${Math.round((floor / figures.againSeconds) * 100)} % of the floor, ${figures.versionsWrittenAgain} versions written`,
      `  resident memory of the sync, peak: ${Math.round(figures.firstPeakMb)} MB`,
      '',
    ].join('\n'),
  );
}
