// A picture of ECharts in an element, drawn when it comes near the screen and again when its width changes.
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { Drawing } from '../charts/chart.ts';
import { echartsParts } from './echarts-parts.ts';

type Picture = Extract<Drawing, { type: 'picture' }>;

/** Once, before the first picture. */
export function prepareEcharts(): void {
  // Nothing of the data becomes an element on a canvas, and no style attribute is written.
  use([...echartsParts, CanvasRenderer]);
}

/** @returns what takes it away again */
export function drawPicture(
  place: HTMLElement,
  { heightPx, option }: Picture,
  description: string,
): () => void {
  place.style.height = `${heightPx}px`;
  const chart = init(place, null, { renderer: 'canvas', height: heightPx });
  chart.setOption({ ...option, aria: { enabled: true, label: { description } } });
  return () => chart.dispose();
}

/** Calls `draw` with the width once the element is near the screen, and when the width changes. @returns what ends it */
export function whenSeen(place: HTMLElement, draw: (widthPx: number) => void): () => void {
  let drawnAt = 0;
  let isSeen = false;
  const drawIfChanged = () => {
    const widthPx = Math.floor(place.clientWidth);
    if (!isSeen || widthPx === 0 || widthPx === drawnAt) return;
    drawnAt = widthPx;
    draw(widthPx);
  };
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      isSeen = true;
      seen.disconnect();
      drawIfChanged();
    },
    { rootMargin: '400px' },
  );
  const sized = new ResizeObserver(() => drawIfChanged());
  seen.observe(place);
  sized.observe(place);
  const showAll = () => {
    isSeen = true;
    drawIfChanged();
  };
  // What was never scrolled to is printed too.
  addEventListener('beforeprint', showAll);
  return () => {
    seen.disconnect();
    sized.disconnect();
    removeEventListener('beforeprint', showAll);
  };
}
