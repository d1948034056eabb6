// Starts the app in the page that holds it.
import { word } from '../page/page-words.ts';
import { startApp } from './app.ts';
import { openDataSource, UnreadableError } from './data-source.ts';
import { element } from './element.ts';
import { onPastedLink, useLink } from './use-link.ts';

async function start(): Promise<void> {
  const place = document.getElementById('app');
  if (place === null) return;
  const language = document.documentElement.lang === 'es' ? 'es' : 'en';
  const source = openDataSource();
  try {
    if (source.mode === 'server') {
      onPastedLink();
      await useLink();
    }
    const overview = await source.overview();
    startApp(place, source, overview);
  } catch (error) {
    const why = error instanceof UnreadableError ? error.why : 'failed';
    const text = why === 'no_link' ? word('noLink', language) : word('pageFailed', language);
    place.replaceChildren(element('p', { class: 'notice bad', role: 'alert', 'data-state': why }, text));
  }
}

void start();
